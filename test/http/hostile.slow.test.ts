/** Ten thousand generated targets over a real socket: none reaches a file but the one it plainly names. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { agents, bytesOf, openWorld, type World } from "./world.ts";
import { rawRequest } from "./raw-client.ts";

const SEED = 6;
const TARGETS = 10_000;
const AT_ONCE = 32;

/** Each file holds its owner and its path, so that an answer says where it came from. */
const names = [
  "a.md",
  "dir/b.md",
  "memories/AGENTS.md",
  "skills/x/y.md",
  "%2e%2e",
  "..a",
  "a+b",
  "a b",
  "é",
  "e\u0301",
  "100%",
  "q?x#y",
  "Memories/odd",
  "files",
  "v1/agents",
];

const dots = [
  "..",
  ".",
  "",
  "%2e%2e",
  "%2E",
  ".%2e",
  "%252e%252e",
  "%2f",
  "%2F..%2F",
  "%5c",
  "\\",
  "..\\",
  "%00",
  "%0a",
  ";",
  "..;",
  "%c0%ae%c0%ae",
  "%e0%80%af",
];
const encodings = [
  "%ed%a0%80",
  "%E0%A4%A",
  "%",
  "%zz",
  "%u002e",
  "?",
  "#",
  "*",
  "~",
  "é",
  "%C3%A9",
  "e%CC%81",
  "a+b",
  "a%20b",
  "a%2Bb",
  "100%25",
  "q%3Fx%23y",
  "%61.md",
];
const plain = [
  "a.md",
  "dir",
  "b.md",
  "dir%2Fb.md",
  "memories",
  "Memories",
  "memories%2FAGENTS.md",
  "AGENTS.md",
  "skills",
  "x",
  "y.md",
  "files",
  "v1",
  "agents",
  "..a",
];
const others = [
  "%E2%80%AE",
  "%ff",
  "|",
  "<x>",
  '"',
  "a".repeat(300),
  "%2e%2e%2f%2e%2e",
  agents.mine.id,
  agents.foreign.id,
  agents.theirs.id,
  "large_tool_results",
  "http:",
];
const atoms = [dots, encodings, plain, others].flat();

let world: World;
beforeAll(async () => {
  world = await openWorld({ rates: { refusals: 1_000_000 } });
  for (const agent of Object.values(agents)) for (const name of names) await world.files(agent).write(name, bytesOf(`${agent.id}:${name}`));
});
afterAll(() => world.close());

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = randomOf(SEED);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

function target(): string {
  const starts = [
    `/v1/agents/${agents.mine.id}/files/`,
    `/v1/agents/${agents.mine.id}/files/`,
    `/v1/agents/${agents.mine.id}/`,
    "/v1/agents/",
    "/",
    "",
    "http://evil.example/v1/agents/",
    "//",
  ];
  const tail = Array.from({ length: 1 + Math.floor(random() * 5) }, () => (random() < 0.1 ? pick(atoms) + pick(atoms) : pick(atoms)));
  // A third is nearly plain, so that some do reach a file.
  return random() < 0.35 ? `/v1/agents/${agents.mine.id}/files/${nearly(pick(names))}` : pick(starts) + tail.join("/");
}

/** The name, with one of its characters or segments spelled in some other way. */
function nearly(name: string): string {
  const segments = name.split("/").map(encodeURIComponent);
  if (random() < 0.4) return segments.join("/");
  if (random() < 0.5) segments.splice(Math.floor(random() * (segments.length + 1)), 0, pick(atoms));
  return segments.join(pick(["/", "//", "%2f", "\\", "/./"]));
}

/** What a target plainly names: the agent in its place, then names that are each decoded once. */
function plainly(raw: string): string | undefined {
  const [path = ""] = raw.replace(/^http:\/\/[^/?#]*/, "").split("?");
  const [empty, v1, agentsWord, id, filesWord, ...rest] = path.split("/");
  if (empty !== "" || v1 !== "v1" || agentsWord !== "agents" || filesWord !== "files" || id === undefined) return undefined;
  try {
    const decoded = rest.map(decodeURIComponent);
    return decoded.some((name) => ["", ".", ".."].includes(name) || /[/\\\0]/.test(name)) ? undefined : `${id}:${decoded.join("/")}`;
  } catch {
    return undefined;
  }
}

it(`reaches no file but the one it plainly names (seed ${SEED})`, async () => {
  const statuses = new Map<number, number>();
  const reached = new Set<string>();
  const tries = Array.from({ length: TARGETS }, () => ({ raw: target(), method: random() < 0.2 ? "PUT" : "GET" }));
  for (let at = 0; at < tries.length; at += AT_ONCE) {
    await Promise.all(
      tries.slice(at, at + AT_ONCE).map(async ({ raw, method }) => {
        const body = method === "PUT" ? `${plainly(raw)}` : "";
        const answer = await rawRequest(world.port, { method, target: raw, headers: ["Authorization: Bearer owner"], body });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect([raw, method, answer.status]).not.toEqual([raw, method, 500]);
        if (method !== "GET" || answer.status !== 200 || !/^etag:/im.test(answer.head)) return;
        reached.add(answer.body);
        expect([raw, answer.body]).toEqual([raw, plainly(raw)]);
        expect(answer.body.startsWith(agents.foreign.id)).toBe(false);
      }),
    );
  }
  // What the changes left behind stands where it was sent, below the reserved prefixes, and nowhere else.
  for (const agent of Object.values(agents)) {
    const files = world.files(agent);
    for (const { path } of await files.list()) {
      expect(new TextDecoder().decode((await files.read(path)).bytes)).toBe(`${agent.id}:${path}`);
      if (!names.includes(path)) expect(path).toMatch(/^(memories|skills)\//);
    }
  }
  expect(world.errors).toEqual([]);
  expect(reached.size).toBeGreaterThanOrEqual(names.length - 1);
  expect(statuses.get(200) ?? 0).toBeGreaterThan(500);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(1000);
}, 600_000);
