import type { PublicCase } from "./case.ts";

const files = (...paths: readonly string[]): Readonly<Record<string, string>> => Object.fromEntries(paths.map((path) => [path, "x"]));

export const orderCases: readonly PublicCase[] = [
  {
    name: "orders by bytes, not by a locale",
    source: "afreidah/s3-orchestrator#1230, pubky/pubky-homeserver#295",
    files: files("/Zoo", "/a", "/a-b", "/a.b", "/ab", "/B", "/d/c"),
    steps: [
      { list: ["/B", "/Zoo", "/a", "/a-b", "/a.b", "/ab", "/d/c"] },
      { tool: "ls", args: { path: "/" }, names: ["B", "Zoo", "a", "a-b", "a.b", "ab", "d"] },
      { tool: "glob", args: { pattern: "**" }, paths: ["/B", "/Zoo", "/a", "/a-b", "/a.b", "/ab", "/d/c"] },
      { tool: "grep", args: { pattern: "x" }, paths: ["/B", "/Zoo", "/a", "/a-b", "/a.b", "/ab", "/d/c"] },
    ],
  },
  {
    name: "orders by UTF-8 bytes, not by UTF-16 units",
    source: "vercel-labs/just-bash#213",
    files: files("/\uff61.txt", "/\u{1F600}.txt", "/\ufffd", "/é"),
    steps: [
      { list: ["/é", "/\uff61.txt", "/\ufffd", "/\u{1F600}.txt"] },
      { tool: "ls", args: { path: "/" }, names: ["é", "\uff61.txt", "\ufffd", "\u{1F600}.txt"] },
      { tool: "glob", args: { pattern: "*" }, paths: ["/é", "/\uff61.txt", "/\ufffd", "/\u{1F600}.txt"] },
    ],
  },
  {
    name: "counts a directory as its name with the slash, in ls",
    source: "afreidah/s3-orchestrator#1230",
    files: files("/a-", "/a.txt", "/a/x", "/a0"),
    steps: [{ tool: "ls", args: { path: "/" }, names: ["a-", "a.txt", "a", "a0"] }, { list: ["/a-", "/a.txt", "/a/x", "/a0"] }],
  },
];
