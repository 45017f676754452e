import type { PublicCase } from "./case.ts";

const write = (path: string): { readonly tool: "write_file"; readonly args: Readonly<Record<string, unknown>> } => ({
  tool: "write_file",
  args: { path, content: "x" },
});
const bad = (path: string, says: readonly string[] = []): PublicCase["steps"] => [
  { ...write(path), error: "invalid_path", says, omits: ["22021", "\0"] },
  { tool: "read_file", args: { path }, error: "invalid_path", omits: ["\0"] },
  { tool: "ls", args: { path }, error: "invalid_path", omits: ["\0"] },
];

export const pathCases: readonly PublicCase[] = [
  {
    name: "refuses NUL in a path, wherever a path or a pattern is taken",
    source: "brianc/node-postgres#2080",
    files: { "/a": "x" },
    steps: [
      ...bad("/a\0b.txt", ["NUL"]),
      { tool: "glob", args: { pattern: "a\0b" }, error: "invalid_pattern", omits: ["\0", "22021"] },
      { tool: "grep", args: { pattern: "a\0b" }, error: "invalid_pattern", omits: ["\0", "22021"] },
      { tool: "grep", args: { pattern: "a", path: "/a\0b" }, error: "invalid_path", omits: ["\0", "22021"] },
    ],
  },
  {
    name: "refuses controls, bidi controls and line separators; keeps joiners inside emoji",
    source: "minio/object-browser#2828, opena2a-org/hackmyagent#330, anthropics/claude-code#29489",
    steps: [
      ...["/photo\u202egnp.js", "/a\u2066b", "/a\u200eb", "/a\u2028b", "/a\nb", "/a\u001bb", "/a\u0085b", "/a\ud800b"].flatMap((path) => bad(path)),
      write("/\u{1F469}\u200D\u{1F4BB}\uFE0F.md"),
      { list: ["/\u{1F469}\u200D\u{1F4BB}\uFE0F.md"] },
    ],
  },
  {
    name: "refuses a relative path, a parent and a backslash; a dot, // and a trailing slash are normalised",
    source: "langchain-ai/deepagents#5890",
    steps: [
      ...["a/b", "", "../x", "/../x", "/a/../b", "/a/..", "/a\\b", "C:\\x"].flatMap((path) => bad(path)),
      write("//a/./b//c.txt"),
      { list: ["/a/b/c.txt"] },
      { tool: "read_file", args: { path: "/a//b/./c.txt/" }, whole: "x" },
    ],
  },
  {
    name: "keeps both Unicode forms of a name apart, and hints at the other",
    source: "oflisback/obsidian-bridge.nvim#43, rfjakob/gocryptfs#992",
    files: { "/caf\u00e9.md": "nfc", "/d/re\u0301sume\u0301.md": "nfd" },
    steps: [
      { tool: "read_file", args: { path: "/cafe\u0301.md" }, error: "not_found", says: ["Unicode"] },
      { tool: "read_file", args: { path: "/d/r\u00e9sum\u00e9.md" }, error: "not_found", says: ["Unicode"] },
      { tool: "read_file", args: { path: "/cafe.md" }, error: "not_found", omits: ["Unicode"] },
      write("/cafe\u0301.md"),
      { list: ["/cafe\u0301.md", "/caf\u00e9.md", "/d/re\u0301sume\u0301.md"] },
    ],
  },
  {
    name: "never lets a file and a directory share a name",
    source: "streamich/memfs#1049",
    files: { "/a/b.txt": "x", "/f": "y" },
    steps: [
      { ...write("/a"), error: "not_a_file" },
      { ...write("/f/g"), error: "not_a_directory" },
      { ...write("/a/b.txt/c/d"), error: "not_a_directory" },
      { tool: "ls", args: { path: "/" }, names: ["a", "f"] },
      { tool: "ls", args: { path: "/f" }, error: "not_a_directory" },
      { holds: { "/a": null, "/f/g": null } },
    ],
    unchanged: ["/a/b.txt", "/f"],
  },
  {
    name: "takes names that every JavaScript object has",
    source: "streamich/memfs#938, emscripten-core/emscripten#3663",
    files: { "/__proto__": "p", "/constructor": "c", "/toString/hasOwnProperty": "t" },
    steps: [
      { tool: "ls", args: { path: "/" }, names: ["__proto__", "constructor", "toString"] },
      { tool: "read_file", args: { path: "/__proto__" }, whole: "p" },
      { tool: "read_file", args: { path: "/valueOf" }, error: "not_found" },
      { tool: "ls", args: { path: "/valueOf" }, error: "not_found" },
      { tool: "edit_file", args: { path: "/__proto__", old_string: "p", new_string: "q" } },
      {
        batch: [
          { tool: "write_file", args: { path: "/constructor", content: "x" }, error: "already_exists" },
          { tool: "edit_file", args: { path: "/hasOwnProperty", old_string: "a", new_string: "b" }, error: "not_found" },
        ],
      },
      { holds: { "/__proto__": "q", "/constructor": "c" } },
    ],
  },
  {
    name: "reserves its four names in any spelling",
    source: "superplanehq/superplane#6585, czottmann/pi-automode#25, bitbonsai/mcpvault#115",
    files: { "/Memories/x": "by the owner" },
    steps: [
      ...[
        "/memories/AGENTS.md",
        "/Memories/x",
        "/MEMORIES",
        "/memories",
        "//memories/./x",
        "/skills/a/SKILL.md",
        "/Skills/a",
        "/large_tool_results/x",
        "/Large_Tool_Results/x",
        "/conversation_history/x.md",
        "/conversation_history",
      ].map((path) => ({ ...write(path), error: "forbidden" as const })),
      { tool: "read_file", args: { path: "/Large_Tool_Results/x" }, error: "not_found" },
      write("/memoriesX/a"),
      write("/a/memories/b"),
      { list: ["/Memories/x", "/a/memories/b", "/memoriesX/a"] },
    ],
    unchanged: ["/Memories/x"],
  },
  {
    name: "caps length and depth",
    source: "brianc/node-postgres#2080",
    steps: [
      ...bad(`/${"a".repeat(256)}`),
      ...bad(`/${"a/".repeat(32)}b`),
      ...bad(`/${"a".repeat(250)}/${"b".repeat(250)}/${"c".repeat(20)}`),
      write(`/${"a/".repeat(31)}b`),
      write(`/${"a".repeat(255)}`),
    ],
  },
];
