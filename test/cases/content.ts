import type { PublicCase } from "./case.ts";

const write = (path: string, content: unknown): { readonly tool: "write_file"; readonly args: Readonly<Record<string, unknown>> } => ({
  tool: "write_file",
  args: { path, content },
});
const KIB = 1024;

export const contentCases: readonly PublicCase[] = [
  {
    name: "refuses NUL in a plain message, before any database sees it",
    source: "brianc/node-postgres#2080, getsentry/junior#897, DeytaHQ/khora#1528",
    files: { "/e.txt": "ab" },
    steps: [
      { ...write("/n.txt", "a\0b"), error: "invalid_content", says: ["NUL"], omits: ["22021", "invalid byte sequence", "\0"] },
      { tool: "edit_file", args: { path: "/e.txt", old_string: "a", new_string: "\0" }, error: "invalid_content", omits: ["22021"] },
      { holds: { "/n.txt": null } },
    ],
    unchanged: ["/e.txt"],
  },
  {
    name: "refuses half a character, which would be stored as another",
    source: "getsentry/sentry#10752, LogicLabs-OU/OpenArchiver#464",
    files: { "/e.txt": "ab" },
    steps: [
      { ...write("/s.txt", "a\ud83d b"), error: "invalid_content" },
      { ...write("/s.txt", "\udc00"), error: "invalid_content" },
      { tool: "edit_file", args: { path: "/e.txt", old_string: "a", new_string: "\ud83d" }, error: "invalid_content" },
      { holds: { "/s.txt": null } },
    ],
    unchanged: ["/e.txt"],
  },
  {
    name: "bounds a file in bytes: 349,525 euro signs pass, one more does not",
    source: "stargate/data-api#710, lynx-family/lynx-stack#2648, StackStorm/st2#6352",
    steps: [
      { ...write("/big.txt", "€".repeat(349_526)), error: "too_large" },
      { holds: { "/big.txt": null } },
      write("/fits.txt", "€".repeat(349_525)),
      write("/exact.txt", "a".repeat(KIB * KIB)),
      { ...write("/over.txt", "a".repeat(KIB * KIB + 1)), error: "too_large" },
      { tool: "edit_file", args: { path: "/fits.txt", old_string: "€".repeat(349_525), new_string: "€".repeat(349_526) }, error: "too_large" },
      { holds: { "/fits.txt": "€".repeat(349_525), "/over.txt": null } },
    ],
  },
  {
    name: "keeps what it takes as it is: emoji, CR, tabs, U+FFFD, a mark in the middle",
    source: "getsentry/sentry#10752",
    steps: [
      write("/a.txt", "\u{1F600}\r\n\t\ufffd\u2028x\ufeffy\u200d"),
      { holds: { "/a.txt": "\u{1F600}\r\n\t\ufffd\u2028x\ufeffy\u200d" } },
      write("/empty.txt", ""),
      { holds: { "/empty.txt": "" } },
    ],
  },
  {
    name: "refuses content that is no text",
    source: "getsentry/junior#897",
    steps: [
      { ...write("/a.txt", 5), error: "invalid_argument", says: ["content"] },
      { ...write("/a.txt", null), error: "invalid_argument" },
      { ...write("/a.txt", { a: 1 }), error: "invalid_argument" },
      { holds: { "/a.txt": null } },
    ],
  },
];
