import type { FindStep, PublicCase } from "./case.ts";

const glob = (pattern: string, paths: readonly string[], path?: string): FindStep => ({
  tool: "glob",
  args: { pattern, ...(path === undefined ? {} : { path }) },
  paths,
});
const refused = (pattern: string): FindStep => ({ tool: "glob", args: { pattern }, error: "invalid_pattern" });
const files = (...paths: readonly string[]): Readonly<Record<string, string>> => Object.fromEntries(paths.map((path) => [path, "x"]));

/** Hidden names, braces, stars, escapes: what each may stand for. */
export const globShapeCases: readonly PublicCase[] = [
  {
    name: "has no rule for hidden files",
    source: "langchain-ai/deepagents#3761, anomalyco/opencode#45911, anthropics/claude-code#62410",
    files: files("/.env", "/.github/workflows/ci.yml", "/a/.kimi/report.md"),
    steps: [
      glob("*", ["/.env", "/.github/workflows/ci.yml", "/a/.kimi/report.md"]),
      glob(".github/workflows/*.yml", ["/.github/workflows/ci.yml"]),
      glob("**/report.md", ["/a/.kimi/report.md"]),
      glob(".*", ["/.env"]),
      glob("**/.*/**", ["/.github/workflows/ci.yml", "/a/.kimi/report.md"]),
    ],
  },
  {
    name: "gives each alternative of a brace its own slash rule",
    source: "langchain-ai/deepagents#4978, mastra-ai/mastra#20162",
    files: files("/a.ts", "/b.tsx", "/c.js", "/src/d.ts", "/src/e/f.tsx", "/x/c.js", "/x/src/d.ts"),
    steps: [
      glob("*.{ts,tsx}", ["/a.ts", "/b.tsx", "/src/d.ts", "/src/e/f.tsx", "/x/src/d.ts"]),
      glob("/*.{ts,tsx}", ["/a.ts", "/b.tsx"]),
      glob("src/**/*.{ts,tsx}", ["/src/d.ts", "/src/e/f.tsx"]),
      glob("{c.js,src/d.ts}", ["/c.js", "/src/d.ts", "/x/c.js"]),
      glob("*.{ts,{js,css}}", ["/a.ts", "/c.js", "/src/d.ts", "/x/c.js", "/x/src/d.ts"]),
      glob("{src,lib}/*.ts", ["/src/d.ts"]),
    ],
  },
  {
    name: "takes empty alternatives, and a brace without a comma as it is",
    source: "micromatch/braces#36, micromatch/braces#72",
    files: files("/a.ts", "/a.d.ts", "/{a}", "/{}", "/{1..3}", "/1", "/a}", "/a,b", "/x/z", "/x/y/z", "/aaaaaa"),
    steps: [
      glob("a{,.d}.ts", ["/a.d.ts", "/a.ts"]),
      glob("x/{,y/}z", ["/x/y/z", "/x/z"]),
      glob("{a}", ["/{a}"]),
      glob("{}", ["/{}"]),
      glob("{1..3}", ["/{1..3}"]),
      glob("a}", ["/a}"]),
      glob("a,b", ["/a,b"]),
      glob("{a\\,b,none}", ["/a,b"]),
      glob("{a,b}".repeat(6), ["/aaaaaa"]),
      refused("{a,b}".repeat(7)),
      refused("{a,".repeat(100)),
      refused("a{b,{c}"),
    ],
  },
  {
    name: "takes ** for directories only as a whole segment",
    source: "embabel/embabel-agent#1770",
    files: files("/docs2/a", "/ab", "/axb", "/a/b", "/a/x/b", "/a/x/y/b", "/src/a.ts", "/src/b/c.ts"),
    steps: [
      glob("a/**/b", ["/a/b", "/a/x/b", "/a/x/y/b"]),
      glob("a**b", ["/ab", "/axb"]),
      glob("src/**.ts", ["/src/a.ts"]),
      glob("**.ts", ["/src/a.ts", "/src/b/c.ts"]),
      glob("docs/**", []),
      glob("*/**", ["/a/b", "/a/x/b", "/a/x/y/b", "/docs2/a", "/src/a.ts", "/src/b/c.ts"]),
      glob("/**", ["/a/b", "/a/x/b", "/a/x/y/b", "/ab", "/axb", "/docs2/a", "/src/a.ts", "/src/b/c.ts"]),
    ],
  },
  {
    name: "escapes with a backslash, which separates nothing",
    source: "sindresorhus/globby#122",
    files: files("/docsa.md", "/docs/a.md", "/*", "/a?b", "/axb", "/[", "/~/x", "/ x", "/x ", "/x", "/a.MD"),
    steps: [
      glob("docs\\a.md", ["/docsa.md"]),
      glob("\\*", ["/*"]),
      glob("a\\?b", ["/a?b"]),
      glob("[", ["/["]),
      glob("~/x", ["/~/x"]),
      glob("x ", ["/x "]),
      glob("*.md", ["/docs/a.md", "/docsa.md"]),
      refused("a\\/b"),
      refused("../x"),
      refused("a/./b"),
      refused("é".repeat(257)),
      glob("é".repeat(256), []),
    ],
  },
  {
    name: "has a root that always exists, and no other that does not",
    source: "langchain-ai/deepagents#1846",
    steps: [
      glob("*", []),
      { tool: "glob", args: { pattern: "*", path: "/no" }, error: "not_found" },
      { tool: "glob", args: { pattern: "*", path: "no" }, error: "invalid_path" },
      { tool: "glob", args: { pattern: "*", path: "" }, error: "invalid_path" },
      { tool: "ls", args: { path: "/" }, names: [] },
      { tool: "grep", args: { pattern: "x" }, found: [] },
    ],
  },
  {
    name: "is not slow for patterns that nearly match everywhere",
    source: "mastra-ai/mastra#20162 (CVE-2026-13149), micromatch/braces#72",
    files: files(`/${"a".repeat(250)}`, `/${"a/".repeat(30)}a`),
    steps: [glob(`${"*a".repeat(20)}b`, []), glob(`${"**/a/".repeat(20)}b`, []), glob(`{${"*a".repeat(100)},${"a*".repeat(100)}}x`, [])],
  },
];
