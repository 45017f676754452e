/** list: byte order, prefix, after, limit and filters, each before the limit counts. */
import type { PathFilter } from "../../storage.ts";
import { same } from "../assert.ts";
import { type CaseGroup, pathsOf } from "../case.ts";

const TREE: Readonly<Record<string, string>> = {
  "a-b/x.txt": "1",
  "a.txt": "2",
  "a/b.txt": "3",
  "a/c/d.txt": "4",
  a0: "5",
  "ab.txt": "6",
  "z/deep/er/file": "7",
};
const ORDER = ["a-b/x.txt", "a.txt", "a/b.txt", "a/c/d.txt", "a0", "ab.txt", "z/deep/er/file"];

const MACHINE: Readonly<Record<string, string>> = {
  "results_of/s1/c": "mine",
  "results_of/s10/c": "theirs",
  "Results_Of/x": "odd",
  "history_of/s1.md": "mine",
  "history_of/s1.md.bak": "theirs",
  "history_of/s10.md": "theirs",
  "notes.md": "ordinary",
};
const SESSION: PathFilter = {
  hide: [],
  hideAnyCase: ["results_of", "results_of/", "history_of", "history_of/"],
  show: ["results_of/s1/", "history_of/s1.md"],
};

export const listCases: CaseGroup = {
  topic: "list",
  cases: [
    { name: "lists nothing when it holds nothing", run: async (storage) => same(await storage.list(), [], "files") },
    {
      name: "lists every file at any depth in byte order, and no directory",
      files: TREE,
      run: async (storage) => same(pathsOf(await storage.list()), ORDER, "paths"),
    },
    {
      name: "orders by UTF-8 bytes: capitals first, no locale, U+FF61 before an emoji",
      files: { ab: "", "a-b": "", Zoo: "", "a.b": "", B: "", a: "", "d/c": "", "\u{1F600}.txt": "", "\uff61.txt": "", é: "" },
      run: async (storage) => same(pathsOf(await storage.list()), ["B", "Zoo", "a", "a-b", "a.b", "ab", "d/c", "é", "\uff61.txt", "\u{1F600}.txt"], "paths"),
    },
    {
      name: "takes prefix as a path or a directory, never as the start of a name",
      files: { ...TREE, my_project: "", "my_project2/c": "", myXproject: "" },
      run: async (storage) => {
        same(pathsOf(await storage.list({ prefix: "a" })), ["a/b.txt", "a/c/d.txt"], "a directory");
        same(pathsOf(await storage.list({ prefix: "a.txt" })), ["a.txt"], "a file");
        same(pathsOf(await storage.list({ prefix: "my_project" })), ["my_project"], "an underscore is ordinary");
        same(pathsOf(await storage.list({ prefix: "A" })), [], "case matters");
        same(pathsOf(await storage.list({ prefix: "nowhere/at/all" })), [], "a directory that isn't there");
      },
    },
    {
      name: "lists only what comes after `after`, whether that file is there or not",
      files: TREE,
      run: async (storage) => {
        for (const [index, path] of ORDER.entries()) same(pathsOf(await storage.list({ after: path })), ORDER.slice(index + 1), `after ${path}`);
        same(pathsOf(await storage.list({ after: "a/b.txt.never" })), ORDER.slice(3), "after a path between");
        same(pathsOf(await storage.list({ after: "zzz" })), [], "after the end");
        same(pathsOf(await storage.list({ prefix: "a", after: "a.txt" })), ["a/b.txt", "a/c/d.txt"], "after a path before the prefix");
        same(pathsOf(await storage.list({ prefix: "a", after: "b" })), [], "after a path behind the prefix");
      },
    },
    {
      name: "stops at limit, and pages of any size join to the whole",
      files: TREE,
      run: async (storage) => {
        for (const limit of [1, 2, 3, ORDER.length - 1, ORDER.length, ORDER.length + 1]) {
          const joined: string[] = [];
          for (let turns = 0; turns <= ORDER.length; turns++) {
            const last = joined.at(-1);
            const page = pathsOf(await storage.list({ limit, ...(last === undefined ? {} : { after: last }) }));
            if (page.length === 0) break;
            same(page, ORDER.slice(joined.length, joined.length + limit), `a page of ${limit}`);
            joined.push(...page);
          }
          same(joined, ORDER, `pages of ${limit}`);
        }
      },
    },
    {
      name: "applies filters before limit and after, so that a hidden file is not counted",
      files: TREE,
      run: async (storage) => {
        const filters = [{ hide: ["a/", "a.txt"], show: ["a/c/"] }];
        same(pathsOf(await storage.list({ filters })), ["a-b/x.txt", "a/c/d.txt", "a0", "ab.txt", "z/deep/er/file"], "filtered");
        same(pathsOf(await storage.list({ filters, limit: 2 })), ["a-b/x.txt", "a/c/d.txt"], "with a limit");
        same(pathsOf(await storage.list({ filters, limit: 1, after: "a-b/x.txt" })), ["a/c/d.txt"], "with after");
        same(pathsOf(await storage.list({ filters, prefix: "a", limit: 1 })), ["a/c/d.txt"], "with a prefix");
      },
    },
    {
      name: "tells a hidden path from what is below it, and shows only exact names",
      files: MACHINE,
      run: async (storage) => {
        const list = async (filter: PathFilter): Promise<readonly string[]> => pathsOf(await storage.list({ filters: [filter] }));
        same(await list({ hide: ["notes.md/"], show: [] }), pathsOf(await storage.list()), "below a file is nothing");
        same(await list({ hide: ["/"], show: ["history_of/s1.md"] }), ["history_of/s1.md"], "all but one");
        same(await list({ hide: ["/"], show: [] }), [], "all hidden");
        same(await list({ hide: ["RESULTS_OF/"], show: [] }), pathsOf(await storage.list()), "hide compares bytes");
      },
    },
    {
      name: "hides whole directories in any ASCII spelling but the exceptions, and never takes s10 for s1",
      files: MACHINE,
      run: async (storage) => same(pathsOf(await storage.list({ filters: [SESSION] })), ["history_of/s1.md", "notes.md", "results_of/s1/c"], "paths"),
    },
    {
      name: "intersects several filters",
      files: MACHINE,
      run: async (storage) =>
        same(pathsOf(await storage.list({ filters: [SESSION, { hide: ["results_of/s1/"], show: [] }] })), ["history_of/s1.md", "notes.md"], "paths"),
    },
  ],
};
