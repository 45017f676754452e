import type { PublicCase } from "./case.ts";

const blanksAndControls = [
  "",
  "x",
  "\n\nx\n\n",
  "  x  ",
  "a\r\nb\r\n",
  "a\rb",
  "\ufeffa",
  "\ufffd",
  "\ufffe\uffff",
  "a\u0001\u001b[31mb\u007f",
  "\u2028\u2029\u0085\f\v",
  "\u202eabc",
];
const lookingLikeCode = ["\u{1F469}\u200D\u{1F4BB}", '{"a": 1}', "null", "0", "\\0 \\u0000 \\n", "&lt;&amp;", "'; drop table agent_files; --", "$1 %s {0}"];

export const exactContentCases: readonly PublicCase[] = [
  {
    name: "stores the bytes it is given: nothing trimmed, added, unescaped or normalised",
    source: "openai/codex#7640, QwenLM/qwen-code#4618, earendil-works/pi#8544",
    steps: [...blanksAndControls, ...lookingLikeCode].flatMap((content, index) => [
      { tool: "write_file", args: { path: `/f${index}`, content } } as const,
      { holds: { [`/f${index}`]: content } },
    ]),
  },
  {
    name: "refuses surrogates in the wrong order, and NUL after any length",
    source: "getsentry/sentry#10752, brianc/node-postgres#2080",
    steps: [
      ...["\udc00\ud83d", "a\ud83d\ud83d\ude00", "\ud83d\ude00\ude00", "\0", `${"a".repeat(100_000)}\0`].map(
        (content) => ({ tool: "write_file", args: { path: "/n", content }, error: "invalid_content", omits: ["\0", "22021"] }) as const,
      ),
      { list: [] },
    ],
  },
  {
    name: "bounds an edit by what it would make",
    source: "StackStorm/st2#6352",
    files: { "/full": `b${"a".repeat(1_048_575)}`, "/half": "a".repeat(600_000) },
    steps: [
      { tool: "edit_file", args: { path: "/full", old_string: "b", new_string: "bb" }, error: "too_large" },
      { tool: "edit_file", args: { path: "/half", old_string: "a", new_string: "aa", replace_all: true }, error: "too_large" },
      { tool: "write_file", args: { path: "/emoji", content: "\u{1F600}".repeat(262_144) } },
      { tool: "write_file", args: { path: "/over", content: `a${"\u{1F600}".repeat(262_144)}` }, error: "too_large" },
      { holds: { "/over": null } },
    ],
    unchanged: ["/full", "/half"],
  },
  {
    name: "lists what is no text, skips it in grep with a notice, and shows or edits none of it",
    source: "google-gemini/gemini-cli#8596",
    files: { "/b.bin": "a\0b", "/t.txt": "hit a" },
    steps: [
      { tool: "grep", args: { pattern: "a" }, found: [{ path: "/t.txt", line: 1 }], says: ["/b.bin"] },
      { tool: "glob", args: { pattern: "*" }, paths: ["/b.bin", "/t.txt"] },
      { tool: "ls", args: { path: "/" }, names: ["b.bin", "t.txt"] },
      { tool: "read_file", args: { path: "/b.bin" }, error: "not_text" },
      { tool: "edit_file", args: { path: "/b.bin", old_string: "a", new_string: "x" }, error: "not_text" },
      { tool: "write_file", args: { path: "/b.bin", content: "x" }, error: "already_exists" },
    ],
    unchanged: ["/b.bin"],
  },
];
