import type { PublicCase } from "./case.ts";

const edit = (
  path: string,
  old_string: string,
  new_string: string,
  more: Readonly<Record<string, unknown>> = {},
): { readonly tool: "edit_file"; readonly args: Readonly<Record<string, unknown>> } => ({ tool: "edit_file", args: { path, old_string, new_string, ...more } });
const all = { replace_all: true };

export const editCases: readonly PublicCase[] = [
  {
    name: "counts overlapping starts: 'aa' is in 'aaa' twice",
    source: "archestra-ai/archestra#6085",
    files: { "/a.txt": "aaa", "/b.txt": "abababa" },
    steps: [
      { ...edit("/a.txt", "aa", "b"), error: "ambiguous_match", says: ["2"] },
      { ...edit("/b.txt", "aba", "x"), error: "ambiguous_match", says: ["3"] },
    ],
    unchanged: ["/a.txt", "/b.txt"],
  },
  {
    name: "replaces leftmost non-overlapping with replace_all, and tells that number",
    source: "archestra-ai/archestra#6085",
    files: { "/a.txt": "aaaaa", "/b.txt": "abababa" },
    steps: [
      { ...edit("/a.txt", "aa", "b", all), says: ["2"] },
      { ...edit("/b.txt", "aba", "x", all), says: ["2"] },
      { holds: { "/a.txt": "bba", "/b.txt": "xbx" } },
    ],
  },
  {
    name: "takes dollar signs in the new text as they are",
    source: "fersilva16/nix-config#637",
    files: { "/Makefile": "a: a\n\techo a\n", "/one": "x = OLD;" },
    steps: [
      { ...edit("/Makefile", "a", "$$", all), says: ["3"] },
      { ...edit("/one", "OLD", "$& $1 $` $' $<n> $$ \\1 \\n") },
      { holds: { "/Makefile": "$$: $$\n\techo $$\n", "/one": "x = $& $1 $` $' $<n> $$ \\1 \\n;" } },
    ],
  },
  {
    name: "takes regular expression characters in the old text as they are",
    source: "qwen-code-dev-bot/oh-my-cli#477",
    files: { "/a.ts": "if (a.b[0] || ^x$) { return (1 + 2) * 3; }" },
    steps: [{ ...edit("/a.ts", "a.b[0] || ^x$", "ok") }, { ...edit("/a.ts", "(1 + 2) * 3", "9") }, { holds: { "/a.ts": "if (ok) { return 9; }" } }],
  },
  {
    name: "refuses an empty old text in any file, with or without replace_all",
    source: "langchain-ai/deepagents#5589, langchain-ai/deepagentsjs#170",
    files: { "/s.txt": "abc", "/e.txt": "" },
    steps: [
      { ...edit("/s.txt", "", "X", all), error: "invalid_argument", says: ["old_string", "empty"], omits: ["times"] },
      { ...edit("/s.txt", "", "X"), error: "invalid_argument", says: ["old_string", "empty"], omits: ["times"] },
      { ...edit("/e.txt", "", "hello\n"), error: "invalid_argument", says: ["write_file"] },
    ],
    unchanged: ["/s.txt", "/e.txt"],
  },
  {
    name: "keeps the line ends of every line it does not touch",
    source: "earendil-works/pi#8544, dimitar-grigorov/mcp-file-tools#24",
    files: { "/f.txt": "a\r\nb\nc", "/g.txt": "one\r\ntwo\r\nthree\r\n" },
    steps: [edit("/f.txt", "c", "C"), edit("/g.txt", "two", "2"), { holds: { "/f.txt": "a\r\nb\nC", "/g.txt": "one\r\n2\r\nthree\r\n" } }],
  },
  {
    name: "finds a needle with LF in a file with CRLF, and writes CRLF",
    source: "earendil-works/pi#8544",
    files: { "/g.txt": "one\r\ntwo\r\nthree\r\n", "/mixed.txt": "a\nb\r\nc\r\n" },
    steps: [
      edit("/g.txt", "one\ntwo\n", "1\n2\n"),
      edit("/mixed.txt", "a\nb", "A\nB"),
      edit("/mixed.txt", "c\r\n", "C\r\n"),
      { holds: { "/g.txt": "1\r\n2\r\nthree\r\n", "/mixed.txt": "A\nB\r\nC\r\n" } },
    ],
  },
  {
    name: "keeps the byte order mark",
    source: "NousResearch/hermes-agent#35278",
    files: { "/m.py": "\ufeffimport os\nx = 1\n", "/n.py": "\ufeffa" },
    steps: [edit("/m.py", "import os\n", "import sys\n"), edit("/n.py", "\ufeffa", "b"), { holds: { "/m.py": "\ufeffimport sys\nx = 1\n", "/n.py": "b" } }],
  },
  {
    name: "adds and removes no newline at the end",
    source: "openai/codex#7640",
    files: { "/f": "a\nb", "/g": "a\nb\n" },
    steps: [edit("/f", "b", "c"), edit("/g", "b", "c"), { holds: { "/f": "a\nc", "/g": "a\nc\n" } }],
  },
  {
    name: "never matches nearly: whitespace, non-breaking space, full-width digits, another Unicode form",
    source: "anomalyco/opencode#44996, openclaw/openclaw#116459",
    files: {
      "/f.txt": "alpha\n   beta_line\ngamma\n",
      "/c.ts": "const RETRY\u00a0MAX = 3; // 最大３回 ｱｲｳ — x\n",
      "/u.txt": "caf\u00e9 “quoted” it’s\n",
      "/t.txt": "\tx\n",
    },
    steps: [
      { ...edit("/f.txt", "    beta_line", "    B"), error: "no_match" },
      { ...edit("/f.txt", "alpha \n", "B"), error: "no_match" },
      { ...edit("/f.txt", "Alpha", "B"), error: "no_match" },
      { ...edit("/c.ts", "RETRY MAX = 3", "RETRY_MAX = 5"), error: "no_match" },
      { ...edit("/c.ts", "最大3回", "x"), error: "no_match" },
      { ...edit("/u.txt", "cafe\u0301", "x"), error: "no_match" },
      { ...edit("/u.txt", '"quoted"', "x"), error: "no_match" },
      { ...edit("/u.txt", "it's", "x"), error: "no_match" },
      { ...edit("/t.txt", "    x", "x"), error: "no_match" },
    ],
    unchanged: ["/f.txt", "/c.ts", "/u.txt", "/t.txt"],
  },
  {
    name: "deletes text with an empty new text, down to an empty file",
    source: "strands-agents/tools#233, openclaw/openclaw#19125",
    files: { "/h.txt": "Hello World\n", "/all.txt": "gone" },
    steps: [
      edit("/h.txt", " World", ""),
      edit("/all.txt", "gone", ""),
      { holds: { "/h.txt": "Hello\n", "/all.txt": "" } },
      { tool: "read_file", args: { path: "/all.txt" }, says: ["empty"] },
    ],
  },
  {
    name: "refuses an edit that would change nothing",
    source: "ludusrusso/wildgecu#78, anthropics/claude-code#1986",
    files: { "/a.txt": "abc" },
    steps: [
      { ...edit("/a.txt", "b", "b"), error: "invalid_argument" },
      { ...edit("/a.txt", "b", "b", all), error: "invalid_argument" },
    ],
    unchanged: ["/a.txt"],
  },
  {
    name: "tells how often an ambiguous text is there",
    source: "langchain-ai/deepagents#564",
    files: { "/t.txt": "123456789\n123456789\n123456789\n" },
    steps: [{ ...edit("/t.txt", "123456789", "987654321"), error: "ambiguous_match", says: ["3"] }],
    unchanged: ["/t.txt"],
  },
  {
    name: "edits beside astral characters without cutting one",
    source: "openclaw/openclaw#116459",
    files: { "/e.txt": "\u{1F600}a\u{1F601}\u{1F600}" },
    steps: [
      { ...edit("/e.txt", "\u{1F600}", "x"), error: "ambiguous_match", says: ["2"] },
      edit("/e.txt", "a\u{1F601}", "b"),
      { holds: { "/e.txt": "\u{1F600}b\u{1F600}" } },
    ],
  },
  {
    name: "refuses a file that is missing, a directory, and binary content",
    source: "langchain-ai/deepagents#5589",
    files: { "/d/x": "a" },
    steps: [
      { ...edit("/no", "a", "b"), error: "not_found" },
      { ...edit("/d", "a", "b"), error: "not_a_file" },
      { ...edit("/", "a", "b"), error: "not_a_file" },
    ],
    unchanged: ["/d/x"],
  },
];
