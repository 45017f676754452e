import type { ChangeStep, PublicCase, Step } from "./case.ts";

const write = (path: string): ChangeStep => ({ tool: "write_file", args: { path, content: "x" } });

/** A legal name works at every tool, and its other spellings are the same file. */
const works = (path: string, stored = path): readonly Step[] => [
  write(path),
  { list: [stored] },
  { tool: "read_file", args: { path }, whole: "x" },
  { tool: "glob", args: { pattern: "**" }, paths: [stored] },
  { tool: "grep", args: { pattern: "x" }, paths: [stored] },
  { tool: "grep", args: { pattern: "x", path }, paths: [stored] },
  { tool: "edit_file", args: { path, old_string: "x", new_string: "y" } },
  { holds: { [stored]: "y" } },
  { tool: "delete_file", args: { path } },
  { list: [] },
];
const refusedEverywhere = (path: string): readonly Step[] => [
  { ...write(path), error: "invalid_path", omits: ["22021", "\0"] },
  { tool: "edit_file", args: { path, old_string: "a", new_string: "b" }, error: "invalid_path" },
  { tool: "delete_file", args: { path }, error: "invalid_path" },
  { tool: "delete_file", args: { path, recursive: true }, error: "invalid_path" },
  { tool: "ls", args: { path }, error: "invalid_path" },
  { tool: "grep", args: { pattern: "x", path }, error: "invalid_path" },
  { tool: "glob", args: { pattern: "x", path }, error: "invalid_path" },
];

const leaving = ["/..", "/a/../b", "//../a", "/a/b/../../..", "./a", "~/a", "C:/a", "file:///a", " ", "/..\\a", "\\\\host\\share"];
const unprintable = ["/a\tb", "/a\u007fb", "/a\u009fb", "/a\u2029b", "/a\u061cb", "/a\u200fb", "/a\u202ab", "/a\u2069b", "/a\udc00b", "/\udc00\ud800"];
const tooLong = [`/${"é".repeat(128)}`, `/${"\u{1F600}".repeat(64)}`, `/${"a".repeat(200)}/${"b".repeat(200)}/${"c".repeat(111)}`];

export const pathNameCases: readonly PublicCase[] = [
  {
    name: "takes two dots inside a name as part of the name",
    source: "langchain-ai/deepagents#5789, langchain-ai/deepagents#6285, agentscope-ai/agentscope-java#2358",
    steps: ["/report..final.md", "/a..b/c", "/...", "/..../x", "/..a", "/a..", "/src/feed/[...sections]/page.tsx"].flatMap((path) => works(path)),
  },
  {
    name: "takes what is special elsewhere as it is, and decodes nothing",
    source: "GenesysGo/shadow-drive#97, code-dot-org/code-dot-org#18270",
    steps: [
      "/ a",
      "/a ",
      "/%2e%2e/x",
      "/a%00b",
      "/a%2fb",
      "/C:/x",
      "/~/x",
      "/CON",
      "/a*b?c",
      "/a\"b'c",
      "/a|b<c>&;$(x)",
      "/-rf",
      "/#x",
      "/日本語/漢字",
      "/\u00a0",
    ].flatMap((path) => works(path)),
  },
  {
    name: "takes emoji with joiners, skin tones and tags, and names of JavaScript objects",
    source: "anthropics/claude-code#70614, streamich/memfs#938",
    steps: [
      "/\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
      "/\u{1F44D}\u{1F3FD}.md",
      "/\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}",
      "/__proto__/constructor",
      "/hasOwnProperty",
      "/null",
      "/undefined",
    ].flatMap((path) => works(path)),
  },
  {
    name: "works up to the last byte, segment and level",
    source: "stargate/data-api#710",
    steps: [`/${"é".repeat(127)}a`, `/${"a/".repeat(31)}b`, `/${"a".repeat(200)}/${"b".repeat(200)}/${"c".repeat(109)}`].flatMap((path) => works(path)),
  },
  {
    name: "knows one file by every spelling of its path",
    source: "langchain-ai/deepagents#5890",
    steps: [...works("//a", "/a"), ...works("/a/", "/a"), ...works("/./a/.//b/./", "/a/b")],
  },
  {
    name: "refuses a path that leaves, hides or is no path, at every tool",
    source: "dataelement/Clawith#828, agentscope-ai/agentscope-java#2358, agno-agi/agno#8726",
    files: { "/a": "x" },
    steps: [...leaving, ...unprintable, ...tooLong].flatMap(refusedEverywhere),
    unchanged: ["/a"],
  },
  {
    name: "has no file at another spelling of a machine path, even where the owner put one",
    source: "bitbonsai/mcpvault#115, czottmann/pi-automode#25",
    files: { "/Large_Tool_Results/x": "hit", "/CONVERSATION_HISTORY/s.md": "hit", "/ok": "hit" },
    steps: [
      { tool: "grep", args: { pattern: "hit" }, paths: ["/ok"] },
      { tool: "glob", args: { pattern: "**" }, paths: ["/ok"] },
      { tool: "ls", args: { path: "/" }, names: ["ok"] },
      { tool: "ls", args: { path: "/Large_Tool_Results" }, error: "not_found" },
      { tool: "grep", args: { pattern: "hit", path: "/Large_Tool_Results" }, error: "not_found" },
      { tool: "glob", args: { pattern: "*", path: "/CONVERSATION_HISTORY" }, error: "not_found" },
      { tool: "read_file", args: { path: "/CONVERSATION_HISTORY/s.md" }, error: "not_found" },
      { tool: "delete_file", args: { path: "/Large_Tool_Results/x" }, error: "forbidden" },
    ],
    unchanged: ["/Large_Tool_Results/x"],
  },
  {
    name: "deletes nothing of a tree that holds what may not go",
    source: "langchain-ai/deepagents#5388",
    files: { "/memories/a": "m", "/b": "x" },
    steps: [
      { tool: "delete_file", args: { path: "/", recursive: true }, error: "forbidden" },
      { tool: "delete_file", args: { path: "/memories", recursive: true }, error: "forbidden" },
      { tool: "delete_file", args: { path: "/memories/a" }, error: "forbidden" },
      { tool: "read_file", args: { path: "/memories/a" }, whole: "m" },
      { list: ["/b", "/memories/a"] },
    ],
    unchanged: ["/memories/a", "/b"],
  },
  {
    name: "lets a directory go with its last file, and its name become a file's",
    source: "streamich/memfs#1049",
    files: { "/a/b/c": "x" },
    steps: [
      { tool: "delete_file", args: { path: "/a/b/c" } },
      { tool: "ls", args: { path: "/a/b" }, error: "not_found" },
      { tool: "ls", args: { path: "/" }, names: [] },
      write("/a"),
      { list: ["/a"] },
    ],
  },
  {
    name: "hints at the other Unicode form of a directory in the path too",
    source: "oflisback/obsidian-bridge.nvim#43",
    files: { "/caf\u00e9/x.md": "nfc" },
    steps: [{ tool: "read_file", args: { path: "/cafe\u0301/x.md" }, error: "not_found", says: ["Unicode"] }],
  },
];
