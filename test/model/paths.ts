/** The paths of the model's world: few, so that operations meet, and odd, so that orders, prefixes and spellings are tried. */
import * as fc from "fast-check";

/** The two sessions of every namespace. */
export const ONE = "11111111-1111-4111-8111-111111111111";
export const TWO = "22222222-2222-4222-8222-222222222222";

const LONG = "x".repeat(255);
const CORE = ["a", "a/b", "a/b/c", "a-", "a.b", "b", "b/x.md", "B"] as const;
const ODD = [
  "a/-",
  "a0",
  "a-/x",
  "a/b.txt",
  "a/b-",
  "ab/c",
  "__proto__",
  "__proto__/constructor",
  "toString",
  "%",
  "_",
  "%_/a_b",
  "%_/axb",
  `it's "q"`,
  "\u{1F600}",
  "\u{1F600}/\uff61",
  "\uff61",
  "\u{1F468}\u200d\u{1F469}",
  "\u00e9.md",
  "e\u0301.md",
  "caf\u00e9/d",
  "cafe\u0301/d",
  "{a}/[b].md",
  "a..b",
  " ",
  "$1",
  LONG,
  `${LONG}/${LONG}`,
  "\u{1F600}".repeat(63),
  "d/d/d/d/d/d/d",
] as const;
const RESERVED = ["memories", "memories/m.md", "memories/d/n", "Memories/x", "skills/s.md", "SKILLS", "memories2/x"] as const;
const MACHINE = [
  "large_tool_results",
  `large_tool_results/${ONE}`,
  `large_tool_results/${ONE}/r`,
  `large_tool_results/${ONE}/r2`,
  `large_tool_results/${TWO}/r`,
  `large_tool_results/${ONE}x/r`,
  `Large_Tool_Results/${ONE}/r`,
  "LARGE_TOOL_RESULTS",
  "large_tool_results.txt",
  "conversation_history",
  `conversation_history/${ONE}.md`,
  `conversation_history/${TWO}.md`,
  `conversation_history/${ONE}.md.bak`,
  `conversation_history/${ONE}`,
  `Conversation_History/${ONE}.md`,
] as const;
const DIRECTORIES = ["a", "b", "%_", "memories", "large_tool_results", `large_tool_results/${ONE}`, "conversation_history", "d/d", "\u{1F600}"] as const;

/** Refused in storage form. */
const BAD_STORAGE: readonly string[] = [
  "/a",
  "a/",
  "a//b",
  "./a",
  "a/../b",
  "..",
  "a\\b",
  "a\0",
  "a\nb",
  "a\u202eb",
  "\ud800",
  "x".repeat(256),
  `${LONG}/${LONG}/y`,
  Array.from({ length: 33 }, () => "s").join("/"),
];
/** Refused in agent form. */
const BAD_AGENT: readonly string[] = [
  "",
  "a",
  "/a/../b",
  "/..",
  "/a\\b",
  "/a\0",
  "/a\u2028b",
  "/\udc00",
  `/${"x".repeat(256)}`,
  `/${LONG}/${LONG}/y`,
  "/1/2/3/4/5/6/7",
];

/** Segments of a path that a session of the model may name; the storages take 32. */
export const MAX_DEPTH = 6;

const badStorage: ReadonlySet<string> = new Set(BAD_STORAGE);
const badAgent: ReadonlySet<string> = new Set(BAD_AGENT);

export function isBadStoragePath(path: string): boolean {
  return path === "" || badStorage.has(path);
}

export function isBadAgentPath(path: string): boolean {
  return badAgent.has(path) || filePathOf(path).split("/").length > MAX_DEPTH;
}

/** The storage form of an agent path that is not bad. */
export function filePathOf(agentPath: string): string {
  return agentPath
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .join("/");
}

const spellings: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `/${path}`,
  (path) => `/${path}`,
  (path) => `/${path}`,
  (path) => `//${path}/`,
  (path) => `/./${path.replaceAll("/", "//")}/.`,
];

const goodPath: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...CORE), weight: 12 },
  { arbitrary: fc.constantFrom(...ODD), weight: 6 },
  { arbitrary: fc.constantFrom(...RESERVED), weight: 2 },
  { arbitrary: fc.constantFrom(...MACHINE), weight: 4 },
);

/** Of a file, in storage form; now and then one that is refused. */
export const storagePath: fc.Arbitrary<string> = fc.oneof({ arbitrary: goodPath, weight: 40 }, { arbitrary: fc.constantFrom("", ...BAD_STORAGE), weight: 1 });

/** Of a directory or a file; "" is the root. */
export const storageRoot: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constant(""), weight: 8 },
  { arbitrary: fc.constantFrom(...DIRECTORIES), weight: 12 },
  { arbitrary: goodPath, weight: 8 },
  { arbitrary: fc.constantFrom(...BAD_STORAGE), weight: 1 },
);

/** A file of the system's own. */
export const machinePath: fc.Arbitrary<string> = fc.constantFrom(...MACHINE);

const spelled = (paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(paths, fc.nat({ max: spellings.length - 1 })).map(([path, spelling]) => (spellings[spelling] ?? String)(path));

/** Of a file, in one of the agent form's spellings; now and then the root, or one that is refused. */
export const agentPath: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: spelled(goodPath), weight: 40 },
  { arbitrary: fc.constantFrom("/", ...BAD_AGENT), weight: 1 },
);

export const agentRoot: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constant("/"), weight: 8 },
  { arbitrary: spelled(fc.constantFrom(...DIRECTORIES)), weight: 12 },
  { arbitrary: spelled(goodPath), weight: 8 },
  { arbitrary: fc.constantFrom(...BAD_AGENT), weight: 1 },
);

/** Where a listing goes on: a path, a name, a name with its slash, or nothing that ever was. */
export const cursor: fc.Arbitrary<string> = fc.oneof(
  goodPath,
  fc.constantFrom("", "a/", "b/", "a/b/", "%_/", "\u{10ffff}", "/", "a/\u{10ffff}", "memories/", "large_tool_results/", "\u{1F600}/"),
);
