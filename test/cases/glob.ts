import type { FindStep, PublicCase } from "./case.ts";

const glob = (pattern: string, paths: readonly string[], path?: string): FindStep => ({
  tool: "glob",
  args: { pattern, ...(path === undefined ? {} : { path }) },
  paths,
});
const refused = (pattern: string): FindStep => ({ tool: "glob", args: { pattern }, error: ["invalid_pattern", "invalid_argument"] });
const files = (...paths: readonly string[]): Readonly<Record<string, string>> => Object.fromEntries(paths.map((path) => [path, "x"]));

export const globCases: readonly PublicCase[] = [
  {
    name: "takes brackets and parentheses as they are",
    source: "google-gemini/gemini-cli#8596, google-gemini/gemini-cli#5100, PostHog/posthog-js#2737",
    files: files("/src/app/[locale]/(auth)/page.tsx", "/app/[[...sign-in]]/page.js", "/app/l/page.tsx"),
    steps: [
      glob("src/app/[locale]/(auth)/**", ["/src/app/[locale]/(auth)/page.tsx"]),
      glob("**/[[...sign-in]]/page.js", ["/app/[[...sign-in]]/page.js"]),
      glob("app/[l]/*", []),
      glob("@(app)/**", []),
      glob("+(app)/**", []),
    ],
  },
  {
    name: "lets ** stand for no directory too",
    source: "embabel/embabel-agent#1770",
    files: files("/readme.md", "/docs/a.md", "/docs/b/c.md"),
    steps: [
      glob("**/*.md", ["/docs/a.md", "/docs/b/c.md", "/readme.md"]),
      glob("docs/**/*.md", ["/docs/a.md", "/docs/b/c.md"]),
      glob("docs/**", ["/docs/a.md", "/docs/b/c.md"]),
      glob("**/b/**", ["/docs/b/c.md"]),
      glob("**", ["/docs/a.md", "/docs/b/c.md", "/readme.md"]),
    ],
  },
  {
    name: "finds by several segments, anchored or not, below any root",
    source: "github/copilot-cli#4271, langchain-ai/deepagents#1846",
    files: files("/2026/07/26.md", "/inbox.md"),
    steps: [
      glob("2026/07/*.md", ["/2026/07/26.md"]),
      glob("/2026/07/*.md", ["/2026/07/26.md"]),
      glob("2026/07/26.md", ["/2026/07/26.md"]),
      glob("07/*.md", ["/2026/07/26.md"], "/2026"),
      glob("/07/*.md", ["/2026/07/26.md"], "/2026/"),
      glob("07/*.md", []),
    ],
  },
  {
    name: "matches the last segment at any depth without a slash, and anchors with a leading one; the same in grep's include",
    source: "langchain-ai/deepagents#4978",
    files: files("/a.py", "/sub/b.py", "/sub/deep/c.py"),
    steps: [
      glob("*.py", ["/a.py", "/sub/b.py", "/sub/deep/c.py"], "/"),
      glob("/*.py", ["/a.py"]),
      glob("*.py", ["/sub/b.py", "/sub/deep/c.py"], "/sub"),
      { tool: "grep", args: { pattern: "x", include: "*.py" }, paths: ["/a.py", "/sub/b.py", "/sub/deep/c.py"] },
      { tool: "grep", args: { pattern: "x", include: "/*.py" }, paths: ["/a.py"] },
      { tool: "grep", args: { pattern: "x", include: "/*.py", path: "/sub" }, paths: ["/sub/b.py"] },
    ],
  },
  {
    name: "has no character classes and no negation",
    source: "SuperchupuDev/tinyglobby#149",
    files: files("/a.js", "/d.js", "/[!abc].js", "/!d.js"),
    steps: [glob("[!abc].js", ["/[!abc].js"]), glob("[a-z].js", []), glob("!a.js", []), glob("!d.js", ["/!d.js"])],
  },
  {
    name: "counts code points, and finds emoji made of several",
    source: "anthropics/claude-code#70614, KunAgent/Kun#976",
    files: files("/30. \u{1F3D7}\uFE0F\u{1F9D9}\u200D\u2642\uFE0F BD-TEST/05. x/file.md", "/\u{1F600}.md", "/a/b"),
    steps: [
      glob("30.*BD-TEST*/**/*.md", ["/30. \u{1F3D7}\uFE0F\u{1F9D9}\u200D\u2642\uFE0F BD-TEST/05. x/file.md"]),
      glob("?.md", ["/\u{1F600}.md"]),
      glob("??.md", []),
      glob("a?b", []),
    ],
  },
  {
    name: "takes every other character as it is, in paths that would match if it did not",
    source: "sindresorhus/globby#122, datachain-ai/datachain#1895",
    files: files("/a.b/n.md", "/axb/n.md", "/Program Files (x86)/r+1/$a^.md", "/50%_x/n.md", "/50AAx/n.md", "/-x", "/#y", '/it\'s "z"', "/{w}", "/a|b", "/ab"),
    steps: [
      glob("a.b/*.md", ["/a.b/n.md"]),
      glob("Program Files (x86)/r+1/*.md", ["/Program Files (x86)/r+1/$a^.md"]),
      glob("50%_x/*.md", ["/50%_x/n.md"]),
      glob("-x", ["/-x"]),
      glob("#y", ["/#y"]),
      glob('it\'s "z"', ['/it\'s "z"']),
      glob("{w}", ["/{w}"]),
      glob("a|b", ["/a|b"]),
      glob("\\{w\\}", ["/{w}"]),
    ],
  },
  {
    name: "refuses what is too long, unbalanced or no list of files, at once",
    source: "mastra-ai/mastra#20162 (CVE-2026-13149), micromatch/braces#72 (CVE-2026-93687), micromatch/braces#36",
    files: files("/x"),
    steps: [
      refused("{".repeat(60_000)),
      refused("a" + "{},".repeat(30) + "{"),
      refused("{a"),
      refused("{a,b}".repeat(7)),
      refused("docs/"),
      refused(""),
      refused("a/../b"),
      refused("./a"),
      refused("a\\"),
      refused("a\0b"),
      refused("a".repeat(513)),
      glob("**/".repeat(60) + "x", ["/x"]),
      glob("*a".repeat(200), []),
    ],
  },
  {
    name: "finds names that end in no word character",
    source: "micromatch/nanomatch#18",
    files: files("/é/foo.txt", "/d#/foo.txt"),
    steps: [glob("é/**/*", ["/é/foo.txt"]), glob("d#/**/*", ["/d#/foo.txt"]), glob("**/d#/*", ["/d#/foo.txt"])],
  },
  {
    name: "lists at most 1000 and says that there are more",
    source: "huggingface/serge#95",
    files: files(...Array.from({ length: 1001 }, (_, index) => `/many/${String(index).padStart(4, "0")}`)),
    steps: [
      { tool: "glob", args: { pattern: "*", path: "/many" }, count: 1000, truncated: true },
      { tool: "glob", args: { pattern: "1000" }, count: 1, truncated: false },
    ],
  },
];
