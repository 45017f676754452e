import type { FindStep, Found, PublicCase } from "./case.ts";

const file = "/f.txt";
const grep = (pattern: string, ...numbers: readonly number[]): FindStep => ({
  tool: "grep",
  args: { pattern },
  found: numbers.map((line) => ({ path: file, line })),
});
const at = (pattern: string, found: Omit<Found, "path">): FindStep => ({ tool: "grep", args: { pattern }, found: [{ path: file, ...found }] });
const in1 = (name: string, source: string, text: string, ...steps: readonly FindStep[]): PublicCase => ({ name, source, files: { [file]: text }, steps });

/** What a line is, and where in it the match begins. */
export const grepLineCases: readonly PublicCase[] = [
  in1("finds blank lines, and none after the final newline", "git-for-windows/git#1841", "a\n\nb\r\n\r\n", grep("^$", 2, 4), grep("^.$", 1, 3)),
  in1("has no line in an empty file", "briandfoy/PerlPowerTools#826", "", grep("^$"), grep("a*"), grep("x?")),
  in1("finds every line with a pattern that can match nothing", "briandfoy/PerlPowerTools#826", "b\n\nc", grep("a*", 1, 2, 3), grep("(|a)", 1, 2, 3)),
  in1(
    "shows a line without the CR of its end",
    "code-yeongyu/oh-my-openagent#3292, ooples/token-optimizer-mcp#391",
    "foo\r\nbar\r\n",
    at("foo$", { line: 1, text: "foo", column: 1 }),
    grep("o\\s$"),
    grep("\\r"),
    grep("[^a-z]"),
  ),
  in1(
    "keeps a CR that is no line end",
    "stefankueng/grepWin#95",
    "foo\r\r\na\rb\nend\r",
    grep("foo\\r$", 1),
    grep("^b"),
    grep("a.b$", 2),
    grep("end$"),
    grep("end\\r$", 3),
  ),
  in1("hides one mark, at the very start only", "openclaw/openclaw#115781", "\ufeff\ufefffoo\n\ufefffoo\nfoo\n", grep("^foo", 3), grep("^.foo", 1, 2)),
  in1("counts columns in code points, without the mark", "anthropics/claude-code#70614", "\ufeff\u{1F600}\u{1F600}ab\n", at("ab", { line: 1, column: 3 })),
  in1(
    "takes the leftmost match of a line, once",
    "brianc/node-postgres#841",
    "xxabcz\n",
    at("abc.*z|b", { line: 1, column: 3 }),
    at("b|abc", { line: 1, column: 3 }),
  ),
  in1(
    "anchors in every branch",
    "cockroachdb/cockroach#12362",
    "a\nb\r\nxa\nbx\n",
    grep("^a|b$", 1, 2),
    grep("(^a|b$)", 1, 2),
    grep("a$b"),
    grep("a^b"),
    grep("^(a|b)+$", 1, 2),
  ),
  in1(
    "shows a window of a long line, around the match and with whole characters",
    "microsoft/vscode#317862, MoonshotAI/kimi-code#3756",
    `${"\u{1F600}".repeat(3000)}NEEDLE${"\u{1F600}".repeat(3000)}`,
    {
      ...at("NEEDLE", { line: 1, column: 3001 }),
      says: ["NEEDLE"],
      omits: ["\u{1F600}".repeat(1000)],
    },
  ),
  {
    name: "tells a path with a colon and digits from a line number",
    source: "code-yeongyu/oh-my-openagent#3321, code-yeongyu/oh-my-openagent#3439",
    files: { "/C:/a:1:b.txt": "x\nhit\n" },
    steps: [{ tool: "grep", args: { pattern: "hit" }, found: [{ path: "/C:/a:1:b.txt", line: 2, text: "hit" }] }],
  },
  {
    name: "takes include as glob takes its pattern, and the path it is given",
    source: "langchain-ai/deepagents#3920, langchain-ai/deepagents#3977",
    files: { "/a.ts": "hit", "/b.js": "hit", "/.h/f.ts": "hit", "/src/c.ts": "hit", "/src/d/e.tsx": "hit" },
    steps: [
      ...(
        [
          ["*.ts", ["/.h/f.ts", "/a.ts", "/src/c.ts"]],
          ["/*.ts", ["/a.ts"]],
          ["src/**", ["/src/c.ts", "/src/d/e.tsx"]],
          ["*.{ts,tsx}", ["/.h/f.ts", "/a.ts", "/src/c.ts", "/src/d/e.tsx"]],
          ["*.md", []],
        ] as const
      ).map(([include, paths]): FindStep => ({ tool: "grep", args: { pattern: "hit", include }, paths })),
      { tool: "grep", args: { pattern: "hit", include: "d/*", path: "/src" }, paths: ["/src/d/e.tsx"] },
      { tool: "grep", args: { pattern: "hit", include: "*", path: "/src/c.ts" }, paths: ["/src/c.ts"] },
      { tool: "grep", args: { pattern: "hit", include: "{a" }, error: "invalid_pattern" },
      { tool: "grep", args: { pattern: "hit", include: "src/" }, error: "invalid_pattern" },
      { tool: "grep", args: { pattern: "hit", path: "/a.t" }, error: "not_found" },
    ],
  },
  {
    name: "counts the cap over files, and calls an exact cap whole",
    source: "opentrace/opentrace#377",
    files: { "/a": "hit\n".repeat(600), "/b": "hit\n".repeat(600) },
    steps: [
      { tool: "grep", args: { pattern: "hit" }, count: 1000, truncated: true, paths: ["/a", "/b"] },
      { put: "/b", text: "hit\n".repeat(400) },
      { tool: "grep", args: { pattern: "hit" }, count: 1000, truncated: false },
    ],
  },
];
