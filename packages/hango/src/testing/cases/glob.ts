/** glob: one dialect, of which everything but * ** ? {a,b} and \ is literal. */
import type { Storage } from "../../storage.ts";
import { parseGlob } from "../../text/glob.ts";
import { refused, same } from "../assert.ts";
import type { CaseGroup } from "../case.ts";

const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "readme.md",
    ".env",
    "docs/a.md",
    "docs/b/c.md",
    "docs/b/c.MD",
    "docs/b/.hidden.md",
    "src/app/[locale]/(auth)/page.tsx",
    "app/[[...sign-in]]/page.js",
    "a.b/n.md",
    "axb/n.md",
    "50%_x/n.md",
    "50AAx/n.md",
    "Program Files (x86)/r+1/$a^.md",
    "{a}.txt",
    "a,b.txt",
    "d.js",
    "!x.js",
    "30. \u{1F3D7}\uFE0F\u{1F9D9}\u200D\u2642\uFE0F BD-TEST/05. x/file.txt",
    "\u{1F600}.txt",
    "é/foo.txt",
    "star*.txt",
    "back\u0301.txt",
    "x/y/z",
    "x/z",
  ].map((path) => [path, "x"]),
);
const under = (start: string): readonly string[] => Object.keys(FILES).filter((path) => path.startsWith(start));

/** Pattern, root, paths found. */
const TABLE: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "**/*.md",
    "",
    ["readme.md", "docs/a.md", "docs/b/c.md", "docs/b/.hidden.md", "a.b/n.md", "axb/n.md", "50%_x/n.md", "50AAx/n.md", "Program Files (x86)/r+1/$a^.md"],
  ],
  ["docs/**/*.md", "", ["docs/a.md", "docs/b/c.md", "docs/b/.hidden.md"]],
  ["docs/*.md", "", ["docs/a.md"]],
  ["/docs/*.md", "", ["docs/a.md"]],
  ["*.md", "docs", ["docs/a.md", "docs/b/c.md", "docs/b/.hidden.md"]],
  ["/*.md", "docs", ["docs/a.md"]],
  ["b/*.md", "docs", ["docs/b/c.md", "docs/b/.hidden.md"]],
  ["docs/**", "", under("docs/")],
  ["docs", "", []],
  ["**", "docs/b", under("docs/b/")],
  ["**", "", Object.keys(FILES)],
  ["*.js", "", ["d.js", "!x.js", "app/[[...sign-in]]/page.js"]],
  ["/*.js", "", ["d.js", "!x.js"]],
  ["[!abc].js", "", []],
  ["?x.js", "", ["!x.js"]],
  ["src/app/[locale]/(auth)/**", "", ["src/app/[locale]/(auth)/page.tsx"]],
  ["**/[[...sign-in]]/page.js", "", ["app/[[...sign-in]]/page.js"]],
  ["a.b/*.md", "", ["a.b/n.md"]],
  ["50%_x/*.md", "", ["50%_x/n.md"]],
  ["Program Files (x86)/r+1/*.md", "", ["Program Files (x86)/r+1/$a^.md"]],
  ["Program Files (x86)/r+1/$a^.md", "", ["Program Files (x86)/r+1/$a^.md"]],
  ["{a}.txt", "", ["{a}.txt"]],
  ["a,b.txt", "", ["a,b.txt"]],
  ["*.{js,tsx}", "", ["d.js", "!x.js", "app/[[...sign-in]]/page.js", "src/app/[locale]/(auth)/page.tsx"]],
  ["x/{,y/}z", "", ["x/y/z", "x/z"]],
  ["{readme,/docs/a}.md", "", ["readme.md", "docs/a.md"]],
  ["{d,d}.js", "", ["d.js"]],
  ["30.*BD-TEST*/**/*.txt", "", ["30. \u{1F3D7}\uFE0F\u{1F9D9}\u200D\u2642\uFE0F BD-TEST/05. x/file.txt"]],
  ["?.txt", "", ["\u{1F600}.txt"]],
  ["é/**/*", "", ["é/foo.txt"]],
  ["back?.txt", "", ["back\u0301.txt"]],
  ["star\\*.txt", "", ["star*.txt"]],
  ["\\{a\\}.txt", "", ["{a}.txt"]],
  [".*", "", [".env", "docs/b/.hidden.md"]],
  ["*", "x", ["x/y/z", "x/z"]],
  ["x**z", "", []],
  ["r**.md", "", ["readme.md"]],
  ["nothing", "", []],
  ["*", "nowhere", []],
  ["docs//a.md", "", ["docs/a.md"]],
];

const HOSTILE: readonly string[] = [
  "/*a*a*a*a*a*a*a*ab",
  "**/a/".repeat(60) + "x",
  "a" + "{b,c}".repeat(6),
  "*".repeat(400),
  "{" + Array.from({ length: 64 }, (_, index) => `x${index}*`).join(",") + "}",
];

async function find(
  storage: Storage,
  pattern: string,
  options: {
    readonly root?: string;
    readonly limit?: number;
    readonly filters?: readonly { readonly hide: readonly string[]; readonly show: readonly string[] }[];
  } = {},
): Promise<readonly string[]> {
  return storage.glob({ pattern: parseGlob(pattern), root: "", limit: 1000, ...options });
}

export const globCases: CaseGroup = {
  topic: "glob",
  cases: [
    {
      name: "finds what the dialect says, files only, in byte order",
      files: FILES,
      run: async (storage) => {
        const order = (await storage.list()).map((info) => info.path);
        for (const [pattern, root, paths] of TABLE)
          same(
            await find(storage, pattern, { root }),
            order.filter((path) => paths.includes(path)),
            `${pattern} in ${root === "" ? "the root" : root}`,
          );
      },
    },
    {
      name: "stops at limit in byte order, and counts no hidden file",
      files: FILES,
      run: async (storage) => {
        const all = await find(storage, "**");
        same(await find(storage, "**", { limit: 3 }), all.slice(0, 3), "limit 3");
        const filters = [{ hide: ["docs/", "readme.md"], show: ["docs/a.md"] }];
        same(
          await find(storage, "*.md", { filters, limit: 4 }),
          ["50%_x/n.md", "50AAx/n.md", "Program Files (x86)/r+1/$a^.md", "a.b/n.md"],
          "filtered, limit 4",
        );
        same(await find(storage, "docs/**", { filters }), ["docs/a.md"], "filtered");
      },
    },
    {
      name: "answers hostile patterns at once",
      files: { ["a".repeat(200)]: "x", [Array.from({ length: 30 }, () => "a").join("/")]: "x" },
      run: async (storage) => {
        for (const pattern of HOSTILE) same((await find(storage, pattern)).length <= 2, true, pattern.slice(0, 20));
      },
    },
    {
      name: "takes a root as a parsed path",
      files: { "docs/a.md": "x" },
      run: async (storage) => {
        await refused("invalid_path", () => find(storage, "*", { root: "docs/../docs" }), "a parent segment");
      },
    },
  ],
};
