/** stat and ls: directories are implied by the visible files below them, and ls counts a directory as its name with the slash. */
import type { Entry } from "../../storage.ts";
import { same } from "../assert.ts";
import { type CaseGroup, put } from "../case.ts";

const TREE: Readonly<Record<string, string>> = {
  "a-": "1",
  "a-b/x": "2",
  "a.txt": "3",
  "a/b": "4",
  "a/c/d": "5",
  "a/c/e": "6",
  a0: "7",
  "\uff61.txt": "8",
  "\u{1F600}/x": "9",
};
const ROOT = ["a-", "a-b/", "a.txt", "a/", "a0", "\uff61.txt", "\u{1F600}/"];

function names(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => (entry.kind === "file" ? entry.info.path : `${entry.path}/`)).map((path) => path.replace(/^.*\/(?=[^/]+\/?$)/, ""));
}

export const statAndLsCases: CaseGroup = {
  topic: "stat and ls",
  cases: [
    {
      name: "stat tells a file, a directory, and nothing",
      files: TREE,
      run: async (storage) => {
        same((await storage.stat("a/b"))?.kind, "file", "a/b");
        same(
          [await storage.stat("a"), await storage.stat("a/c")],
          [
            { kind: "directory", path: "a" },
            { kind: "directory", path: "a/c" },
          ],
          "directories",
        );
        for (const path of ["b", "a/", "a/b/c", "A"].filter((path) => !path.endsWith("/"))) same(await storage.stat(path), undefined, path);
      },
    },
    {
      name: "stat and ls always have a root",
      run: async (storage) => {
        same(await storage.stat(""), { kind: "directory", path: "" }, "stat");
        same(await storage.ls(""), [], "ls");
      },
    },
    {
      name: "ls is in byte order of names, a directory counted with its slash: a-, a.txt, a/, a0",
      files: TREE,
      run: async (storage) => same(names(await storage.ls("")), ROOT, "names"),
    },
    {
      name: "ls shows each directory once, with the full path, and only what is directly below",
      files: TREE,
      run: async (storage) => {
        const entries = await storage.ls("a");
        same(
          entries.map((entry) => (entry.kind === "file" ? [entry.info.path, entry.info.sizeBytes] : entry.path)),
          [["a/b", 1], "a/c"],
          "a",
        );
        same(names(await storage.ls("a/c")), ["d", "e"], "a/c");
        same([await storage.ls("a/b"), await storage.ls("nowhere"), await storage.ls("a/bc")], [[], [], []], "a file and what isn't there");
      },
    },
    {
      name: "ls pages with after and limit, and the pages join to the whole",
      files: TREE,
      run: async (storage) => {
        for (const limit of [1, 2, 3, ROOT.length, ROOT.length + 1]) {
          const joined: string[] = [];
          for (let turns = 0; turns <= ROOT.length; turns++) {
            const last = joined.at(-1);
            const page = names(await storage.ls("", { limit, ...(last === undefined ? {} : { after: last }) }));
            if (page.length === 0) break;
            joined.push(...page);
          }
          same(joined, ROOT, `pages of ${limit}`);
        }
        same(names(await storage.ls("", { after: "a-zzz" })), ROOT.slice(2), "after a name between");
        same(names(await storage.ls("", { after: "a.txt", limit: 1 })), ["a/"], "a directory after a file");
      },
    },
    {
      name: "ls pages a directory too, by names and not by paths",
      files: TREE,
      run: async (storage) => {
        same(names(await storage.ls("a", { after: "b" })), ["c/"], "after b");
        same(names(await storage.ls("a", { after: "c/" })), [], "after c/");
        same(names(await storage.ls("a", { after: "c" })), ["c/"], "c comes before c/");
      },
    },
    {
      name: "stat and ls hide a directory whose every file is hidden, and count nothing hidden",
      files: TREE,
      run: async (storage) => {
        const filters = [{ hide: ["a/", "a-b/"], show: ["a/c/d"] }];
        same(names(await storage.ls("", { filters })), ["a-", "a.txt", "a/", "a0", "\uff61.txt", "\u{1F600}/"], "root");
        same(names(await storage.ls("a/c", { filters })), ["d"], "a/c");
        same(names(await storage.ls("", { filters, limit: 2 })), ["a-", "a.txt"], "with a limit");
        same([await storage.stat("a-b", { filters }), await storage.stat("a/b", { filters })], [undefined, undefined], "hidden");
        same([(await storage.stat("a", { filters }))?.kind, (await storage.stat("a/c/d", { filters }))?.kind], ["directory", "file"], "shown");
        same(
          [await storage.ls("", { filters: [{ hide: ["/"], show: [] }] }), (await storage.stat("", { filters: [{ hide: ["/"], show: [] }] }))?.kind],
          [[], "directory"],
          "all hidden",
        );
      },
    },
    {
      name: "stat and ls hide a directory whose files are hidden one by one, and show it for the sake of one",
      files: TREE,
      run: async (storage) => {
        const hide = ["a-b/x", "a/c/d", "a/c/e"];
        const filters = [{ hide, show: [] }];
        same(
          [await storage.stat("a-b", { filters }), await storage.stat("a/c", { filters }), (await storage.stat("a", { filters }))?.kind],
          [undefined, undefined, "directory"],
          "stat",
        );
        same([names(await storage.ls("", { filters })), names(await storage.ls("a", { filters }))], [ROOT.filter((name) => name !== "a-b/"), ["b"]], "ls");
        const two = [
          { hide: ["/"], show: ["a/c/e", "a/b"] },
          { hide: ["a/b"], show: [] },
        ];
        same(
          [names(await storage.ls("", { filters: two })), names(await storage.ls("a", { filters: two })), names(await storage.ls("a/c", { filters: two }))],
          [["a/"], ["c/"], ["e"]],
          "two filters",
        );
        same(
          [(await storage.stat("a/c", { filters: two }))?.kind, await storage.stat("a/b", { filters: two }), await storage.stat("a-b", { filters: two })],
          ["directory", undefined, undefined],
          "stat, two filters",
        );
      },
    },
    {
      name: "ls jumps over a directory of many files",
      needs: ["writing"],
      run: async (storage) => {
        for (let index = 0; index < 60; index++) await put(storage, `d/${index}`, "x");
        await put(storage, "d0", "x");
        await put(storage, "c", "x");
        same(names(await storage.ls("")), ["c", "d/", "d0"], "root");
        same(names(await storage.ls("", { filters: [{ hide: ["d/"], show: ["d/59"] }] })), ["c", "d/", "d0"], "one of them shown");
        same((await storage.ls("d", { limit: 7 })).length, 7, "limit");
      },
    },
  ],
};
