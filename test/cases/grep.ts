import type { FindStep, Found, PublicCase } from "./case.ts";

const grep = (pattern: string, found: readonly Found[], more: Readonly<Record<string, unknown>> = {}): FindStep => ({
  tool: "grep",
  args: { pattern, ...more },
  found,
});
const refused = (pattern: string, says: readonly string[] = ["literal"]): FindStep => ({
  tool: "grep",
  args: { pattern },
  error: "invalid_pattern",
  says,
  omits: ["2201B", "stack", "\0"],
});
const line = (path: string, ...numbers: readonly number[]): readonly Found[] => numbers.map((number) => ({ path, line: number }));

export const grepCases: readonly PublicCase[] = [
  {
    name: "refuses a pattern outside the dialect, quotes it and names literal",
    source: "langchain-ai/deepagents#3902, langchain-ai/deepagents#975",
    files: { "/a.py": "cfg = config.load(path)\n" },
    steps: [
      refused("config.load(", ["config.load(", "literal"]),
      refused("[a"),
      refused("*a"),
      refused("a**"),
      refused("(?=a)"),
      refused("(a)\\1"),
      refused("\\p{L}"),
      refused("a{300}"),
      refused("x\\Z"),
      refused("***=a.b"),
      refused("a\nb"),
      refused("a".repeat(201)),
      grep("config.load(", line("/a.py", 1), { literal: true }),
      grep("config\\.load\\(", line("/a.py", 1)),
    ],
  },
  {
    name: "is a regular expression, not a literal",
    source: "langchain-ai/deepagentsjs#821",
    files: { "/d.md": "# 4. Conversation Workflow\nx# 4. Conversation\n# 44 Conversation\n" },
    steps: [grep("^# 4\\. Conversation", line("/d.md", 1)), grep("^# 4. Conversation", line("/d.md", 1, 3)), grep("^# \\d+\\.? C", line("/d.md", 1, 3))],
  },
  {
    name: "has word boundaries, ASCII classes and one dialect on every storage",
    source: "FreshRSS/FreshRSS#8141, firasdib/Regex101#1813, brianc/node-postgres#841",
    files: { "/n.txt": "a new day\nnewest\nrenewal\nénew\n", "/p.txt": "zip 02139\né\n" },
    steps: [
      grep("\\bnew\\b", line("/n.txt", 1, 4), { path: "/n.txt" }),
      grep("\\bnew", line("/n.txt", 1, 2, 4), { path: "/n.txt" }),
      grep("\\d{5}", line("/p.txt", 1), { path: "/p.txt" }),
      grep("\\w", line("/p.txt", 1), { path: "/p.txt" }),
      grep("(?<y>\\d)", line("/p.txt", 1), { path: "/p.txt" }),
      grep("(?i)ZIP", line("/p.txt", 1), { path: "/p.txt" }),
      grep("ZIP", line("/p.txt", 1), { path: "/p.txt", ignore_case: true }),
      grep("É", line("/p.txt", 2), { path: "/p.txt", ignore_case: true }),
    ],
  },
  {
    name: "anchors at each line, with LF, CRLF and a byte order mark",
    source: "cockroachdb/cockroach#12362",
    files: { "/d.txt": "DOGGIE\ndog \nDOG", "/w.txt": "DOG\r\ncat\r\n", "/b.txt": "\ufeffDOG\n" },
    steps: [
      grep("^DOG$", [
        { path: "/b.txt", line: 1, text: "DOG" },
        { path: "/d.txt", line: 3, text: "DOG" },
        { path: "/w.txt", line: 1, text: "DOG" },
      ]),
      grep("^d.+", line("/d.txt", 2)),
    ],
  },
  {
    name: "never matches across a line end",
    source: "MaterializeInc/materialize#26188",
    files: { "/t.txt": "test line 1\ntest line 2" },
    steps: [grep("1\\stest", []), grep("1\\Dtest", []), grep("1\\Wtest", []), grep("1[^x]*test", []), grep("1.*2", [])],
  },
  {
    name: "caps lines and not files, in order, and says so",
    source: "huggingface/serge#95, opentrace/opentrace#377",
    files: {
      "/one.txt": Array.from({ length: 1500 }, (_, index) => `TODO ${index + 1}\n`).join(""),
      "/two.txt": "TODO x\n",
      "/exact.txt": "only\n".repeat(1000),
    },
    steps: [
      { tool: "grep", args: { pattern: "TODO" }, count: 1000, truncated: true, paths: ["/one.txt"] },
      { tool: "grep", args: { pattern: "TODO", path: "/two.txt" }, count: 1, truncated: false },
      { tool: "grep", args: { pattern: "only" }, count: 1000, truncated: false },
    ],
  },
  {
    name: "keeps to its directory, where the name holds a wildcard of SQL",
    source: "NousResearch/hermes-agent#78927, datachain-ai/datachain#1895",
    files: { "/my_project/a.txt": "hit", "/myXproject/b.txt": "hit", "/my_project2/c.txt": "hit", "/dir_%1/d.txt": "hit", "/dirXX1/e.txt": "hit" },
    steps: [
      grep("hit", line("/my_project/a.txt", 1), { path: "/my_project" }),
      { tool: "ls", args: { path: "/my_project" }, names: ["a.txt"] },
      { tool: "glob", args: { path: "/my_project", pattern: "*" }, paths: ["/my_project/a.txt"] },
      grep("hit", line("/dir_%1/d.txt", 1), { path: "/dir_%1" }),
      { tool: "ls", args: { path: "/dir_%1" }, names: ["d.txt"] },
      { tool: "glob", args: { path: "/dir_%1", pattern: "*" }, paths: ["/dir_%1/d.txt"] },
      { tool: "delete_file", args: { path: "/dir_%1", recursive: true } },
      { list: ["/dirXX1/e.txt", "/myXproject/b.txt", "/my_project/a.txt", "/my_project2/c.txt"] },
    ],
  },
  {
    name: "refuses an empty pattern, and finds 0",
    source: "briandfoy/PerlPowerTools#826, briandfoy/PerlPowerTools#627, vercel-labs/just-bash#327",
    files: { "/a.txt": "x\n0\n" },
    steps: [
      { tool: "grep", args: { pattern: "" }, error: "invalid_argument" },
      { tool: "grep", args: { pattern: "", literal: true }, error: "invalid_argument" },
      grep("0", line("/a.txt", 2)),
      grep("0", line("/a.txt", 2), { literal: true }),
    ],
  },
  {
    name: "answers not_found for a root that is not there",
    source: "NousResearch/hermes-agent#78927",
    files: { "/a/b": "x" },
    steps: [
      { tool: "grep", args: { pattern: "x", path: "/nowhere" }, error: "not_found" },
      { tool: "glob", args: { pattern: "*", path: "/nowhere" }, error: "not_found" },
      grep("x", line("/a/b", 1), { path: "/a/b" }),
      grep("x", line("/a/b", 1), { path: "/" }),
    ],
  },
];
