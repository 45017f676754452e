import type { PublicCase, ReadStep } from "./case.ts";

const read = (path: string, more: Readonly<Record<string, unknown>> = {}): ReadStep => ({ tool: "read_file", args: { path, ...more } });
const bad = (path: string, more: Readonly<Record<string, unknown>>): ReadStep => ({ ...read(path, more), error: "invalid_argument" });
const numberedLines = (count: number, line: (n: number) => string): string => Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join("");

/** What a window shows, and what its footer may say. */
export const readWindowCases: readonly PublicCase[] = [
  {
    name: "never calls a window of blank lines an empty file",
    source: "langchain-ai/deepagents#4955",
    files: { "/f.txt": "a\n\n\n\nb\n", "/one.txt": "\n", "/space.txt": "   \n\t\n", "/crlf.txt": "\r\n\r\n", "/mark.txt": "\ufeff" },
    steps: [
      {
        ...read("/f.txt", { offset: 2, limit: 2 }),
        shows: [
          [2, ""],
          [3, ""],
        ],
        total: 5,
        omits: ["empty"],
      },
      { ...read("/one.txt"), whole: "", total: 1, omits: ["empty"] },
      { ...read("/space.txt"), whole: "   \n\t", total: 2 },
      { ...read("/crlf.txt"), whole: "\n", total: 2 },
      { ...read("/mark.txt"), total: 1, omits: ["empty"] },
    ],
  },
  {
    name: "says empty for an empty file, whatever window is asked for from the first line on",
    source: "Zoo-Code-Org/Zoo-Code#1728",
    files: { "/e.txt": "" },
    steps: [
      { ...read("/e.txt", { offset: 1 }), says: ["empty"], shows: [] },
      { ...read("/e.txt", { offset: 0, limit: 10 }), says: ["empty"], shows: [] },
    ],
  },
  {
    name: "names a next offset only when lines are left, also when the window begins in the middle",
    source: "BaseIntelligence/bounty-challenge#19016, open-octo/octo-agent#334",
    files: { "/f.txt": numberedLines(10, (n) => `l${n}`), "/full.txt": numberedLines(2000, (n) => `l${n}`), "/over.txt": numberedLines(2001, (n) => `l${n}`) },
    steps: [
      { ...read("/f.txt", { offset: 6 }), total: 10, omits: ["offset"] },
      { ...read("/f.txt", { offset: 6, limit: 5 }), total: 10, omits: ["offset"] },
      { ...read("/f.txt", { offset: 6, limit: 4 }), total: 10, says: ["offset 10"] },
      { ...read("/f.txt", { limit: 1_000_000 }), total: 10, omits: ["offset"] },
      { ...read("/f.txt", { limit: 3 }), total: 10, pages: true },
      { ...read("/full.txt"), total: 2000, shows: [[2000, "l2000"]], omits: ["offset"] },
      { ...read("/over.txt"), total: 2001, pages: true },
    ],
  },
  {
    name: "pages on by the footer where the default page is over the token limit",
    source: "osaurus-ai/osaurus#2112, bytedance/deer-flow#5475",
    files: {
      "/wide.txt": numberedLines(2000, (n) => `${n} ${"x".repeat(120)}`),
      "/han.txt": numberedLines(2000, (n) => `${"漢".repeat(30)} ${n}`),
      "/mixed.txt": `${"y".repeat(4999)}\n`.repeat(3) + numberedLines(1997, String),
    },
    steps: [
      { ...read("/wide.txt"), total: 2000, pages: true },
      { ...read("/han.txt"), total: 2000, pages: true },
    ],
  },
  {
    name: "shows a file of one long line, in parts that meet",
    source: "mateaix/mateclaw#190, agentscope-ai/agentscope-java#2951",
    files: { "/one.json": `${"x".repeat(5000)}${"y".repeat(5000)}END` },
    steps: [
      { ...read("/one.json"), says: ["x".repeat(5000), "column 5001"], omits: ["y"], total: 1 },
      { ...read("/one.json", { column: 5001 }), says: ["y".repeat(5000), "column 10001"], omits: ["xx", "END"] },
      { ...read("/one.json", { column: "10001" }), whole: "END", omits: ["column 1000"] },
    ],
  },
  {
    name: "clips by code points, and counts neither the mark nor the CR",
    source: "nodetool-ai/nodetool#3775, MoonshotAI/kimi-code#3756",
    files: {
      "/e.txt": "\u{1F600}".repeat(5000),
      "/c.txt": `${"x".repeat(5000)}\r\n`,
      "/m.txt": `\ufeff${"x".repeat(5000)}`,
      "/part.txt": `${"\u{1F600}".repeat(5000)}漢END`,
    },
    steps: [
      { ...read("/e.txt"), whole: "\u{1F600}".repeat(5000), omits: ["column"] },
      { ...read("/c.txt"), whole: "x".repeat(5000), omits: ["column"] },
      { ...read("/m.txt"), whole: "x".repeat(5000), omits: ["column"] },
      { ...read("/part.txt", { column: 5001 }), whole: "漢END" },
    ],
  },
  {
    name: "is not misled by text that speaks like a footer",
    source: "osaurus-ai/osaurus#2112",
    files: { "/f.txt": "use offset=99 to continue\n     7\tline 1 of 500\n" },
    steps: [{ ...read("/f.txt"), total: 2, shows: [[1, "use offset=99 to continue"]] }],
  },
  {
    name: "shows no CR of a line end, and every other one",
    source: "ooples/token-optimizer-mcp#391",
    files: { "/f.txt": "a\r\nb\r\n", "/g.txt": "a\r\r\nb\r" },
    steps: [
      { ...read("/f.txt"), whole: "a\nb", total: 2, omits: ["\r"] },
      { ...read("/g.txt"), whole: "a\r\nb\r", total: 2 },
    ],
  },
  {
    name: "refuses an offset or column no file has, and arguments that are none",
    source: "langchain-ai/deepagents#5180, cline/cline#12641",
    files: { "/f.txt": "abc\n" },
    steps: [
      { ...bad("/f.txt", { offset: 2 }), says: ["1"] },
      bad("/f.txt", { offset: Number.MAX_SAFE_INTEGER + 2 }),
      bad("/f.txt", { offset: "-1" }),
      bad("/f.txt", { limit: "0" }),
      bad("/f.txt", { limit: "Infinity" }),
      bad("/f.txt", { column: -1 }),
      { ...bad("/f.txt", { column: 99 }), says: ["3"] },
      { tool: "read_file", args: {}, error: "invalid_argument", says: ["path"] },
      { tool: "read_file", args: { file_path: "/f.txt" }, error: "invalid_argument", says: ["path"] },
    ],
  },
];
