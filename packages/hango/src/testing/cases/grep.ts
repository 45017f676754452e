/** grep: one dialect, line by line, with the place of each match. */
import type { GrepHit } from "../../storage.ts";
import { holds, same } from "../assert.ts";
import { type CaseGroup, put } from "../case.ts";
import { type Asked, dialectCase, findLines } from "./grep-dialect.ts";

const places = (hits: readonly GrepHit[]): readonly (readonly [string, number])[] => hits.map((hit) => [hit.path, hit.line]);

const FILES: Readonly<Record<string, string>> = {
  "a.txt": "one hit\ntwo\nthree hit\n",
  "b/a.md": "hit\n",
  "b/c/a.md": "x\nhit hit\n",
  "b2/a.md": "hit\n",
  "my_project/a.txt": "hit\n",
  "myXproject/b.txt": "hit\n",
  z: "no\n",
};

export const grepCases: CaseGroup = {
  topic: "grep",
  cases: [
    dialectCase,
    {
      name: "finds in path order, then line order, below a root, in one file, by include",
      files: FILES,
      run: async (storage) => {
        same(
          places(await findLines(storage, "hit")),
          [
            ["a.txt", 1],
            ["a.txt", 3],
            ["b/a.md", 1],
            ["b/c/a.md", 2],
            ["b2/a.md", 1],
            ["myXproject/b.txt", 1],
            ["my_project/a.txt", 1],
          ],
          "all",
        );
        same(
          places(await findLines(storage, "hit", { root: "b" })),
          [
            ["b/a.md", 1],
            ["b/c/a.md", 2],
          ],
          "below b",
        );
        same(places(await findLines(storage, "hit", { root: "my_project" })), [["my_project/a.txt", 1]], "an underscore is ordinary");
        same(
          places(await findLines(storage, "hit", { root: "a.txt" })),
          [
            ["a.txt", 1],
            ["a.txt", 3],
          ],
          "one file",
        );
        same(places(await findLines(storage, "hit", { root: "nowhere" })), [], "nothing");
        same(
          places(await findLines(storage, "hit", { include: "*.md" })),
          [
            ["b/a.md", 1],
            ["b/c/a.md", 2],
            ["b2/a.md", 1],
          ],
          "include at any depth",
        );
        same(
          places(await findLines(storage, "hit", { include: "/*.txt" })),
          [
            ["a.txt", 1],
            ["a.txt", 3],
          ],
          "include anchored",
        );
        same(places(await findLines(storage, "hit", { root: "b", include: "/*.md" })), [["b/a.md", 1]], "include anchored at the root given");
        same(places(await findLines(storage, "hit", { root: "b", include: "c/**" })), [["b/c/a.md", 2]], "include below the root given");
        same(
          [
            places(await findLines(storage, "hit", { root: "b/a.md", include: "*.md" })),
            places(await findLines(storage, "hit", { root: "b/a.md", include: "*.txt" })),
          ],
          [[["b/a.md", 1]], []],
          "include on one file",
        );
      },
    },
    {
      name: "tells the column in code points, of the leftmost match of the whole line",
      files: { "c.txt": "\u{1F600}é hit hit\nxxabcz\n\ufeffhit\n", "bom.txt": "\ufeffhit\r\n" },
      run: async (storage) => {
        same(
          (await findLines(storage, "hit", { root: "c.txt" })).map((hit) => [hit.line, hit.column, hit.text]),
          [
            [1, 4, "\u{1F600}é hit hit"],
            [3, 2, "\ufeffhit"],
          ],
          "hit",
        );
        same(
          (await findLines(storage, "abc.*z|b", { root: "c.txt" })).map((hit) => hit.column),
          [3],
          "the leftmost of two branches",
        );
        same(
          (await findLines(storage, "hit", { root: "bom.txt" })).map((hit) => [hit.column, hit.text]),
          [[1, "hit"]],
          "no mark, no CR",
        );
      },
    },
    {
      name: "ignores case by one table, and takes a literal as it is",
      files: { "i.txt": "Straße CAFÉ\nσίγμας Σ\nk \u212a\na.b[c](d)\n$1 \\d+\nÄ" },
      run: async (storage) => {
        const lines = async (source: string, options: Asked): Promise<readonly number[]> => (await findLines(storage, source, options)).map((hit) => hit.line);
        same(await lines("café", { ignoreCase: true }), [1], "é folds");
        same(await lines("straẞe", { ignoreCase: true }), [1], "ß folds to ẞ");
        same(await lines("Σ$", { ignoreCase: true }), [2], "sigma folds");
        same(await lines("^\\w \\w", { ignoreCase: true }), [], "\\w is not folded");
        same(await lines("K", { ignoreCase: true }), [3], "ASCII folds");
        same(await lines("ä", { ignoreCase: true }), [6], "ä folds");
        same(await lines("ä", {}), [], "case matters");
        same(await lines("a.b[c](d)", { literal: true }), [4], "a literal");
        same(await lines("A.B[C](D)", { literal: true, ignoreCase: true }), [4], "a literal without case");
        same(await lines("$1 \\d+", { literal: true }), [5], "a literal of special characters");
        same(await lines("aXb", { literal: true }), [], "a dot is a dot");
      },
    },
    {
      name: "stops at limit, in lines and not in files",
      files: { "one.txt": Array.from({ length: 1500 }, (_, index) => `TODO ${index + 1}\n`).join(""), "two.txt": "TODO x\n" },
      run: async (storage) => {
        const hits = await findLines(storage, "TODO");
        same([hits.length, hits.at(-1)?.path, hits.at(-1)?.line], [1000, "one.txt", 1000], "limit 1000");
        same(
          (await findLines(storage, "TODO", { limit: 1 })).map((hit) => hit.line),
          [1],
          "limit 1",
        );
        same(
          places((await findLines(storage, "TODO", { limit: 2000 })).slice(-2)),
          [
            ["one.txt", 1500],
            ["two.txt", 1],
          ],
          "limit 2000",
        );
      },
    },
    {
      name: "counts no hidden file",
      files: FILES,
      run: async (storage) => {
        const filters = [{ hide: ["a.txt", "b/"], show: ["b/c/"] }];
        same(
          places(await findLines(storage, "hit", { filters, limit: 2 })),
          [
            ["b/c/a.md", 2],
            ["b2/a.md", 1],
          ],
          "limit 2",
        );
        same(places(await findLines(storage, "hit", { filters, root: "a.txt" })), [], "a hidden file as the root");
      },
    },
    {
      name: "shows a line over 500 characters as a window around its match, and a shorter one whole",
      files: { "w.txt": `${"x".repeat(499)}M\n${"x".repeat(500)}M\n${"\u{1F600}".repeat(3000)}MATCH${"y".repeat(3000)}\nM${"z".repeat(2000)}` },
      run: async (storage) => {
        const hits = await findLines(storage, "M");
        const texts = hits.map((hit) => [...hit.text]);
        same(
          hits.map((hit) => [hit.line, hit.column]),
          [
            [1, 500],
            [2, 501],
            [3, 3001],
            [4, 1],
          ],
          "places",
        );
        same(
          texts.map((text) => text.length),
          [500, 101, 500, 500],
          "lengths",
        );
        same(
          texts.map((text) => text.indexOf("M")),
          [499, 100, 100, 0],
          "where the match stands",
        );
        holds(
          hits.every((hit) => hit.text.isWellFormed()),
          "no character is cut in half",
        );
      },
    },
    {
      name: "gives lines of context, cut at the ends of the file and clipped",
      files: { "c.txt": `1\r\n2\n3 hit\n${"4".repeat(600)}\n5 hit` },
      run: async (storage) => {
        const hits = await findLines(storage, "hit", { context: 2 });
        same(
          hits.map((hit) => [hit.before?.map((text) => text.slice(0, 3)), hit.after?.map((text) => text.slice(0, 5))]),
          [
            [
              ["1", "2"],
              ["44444", "5 hit"],
            ],
            [["3 h", "444"], []],
          ],
          "context",
        );
        holds(
          hits.every((hit) => [...(hit.before ?? []), ...(hit.after ?? [])].every((text) => [...text].length <= 500)),
          "context lines are clipped",
        );
      },
    },
    {
      name: "skips binary files and names each that it was asked to look at",
      needs: ["writing"],
      files: FILES,
      run: async (storage) => {
        await storage.write("b/bin", Uint8Array.of(0x68, 0x69, 0x74, 0x00));
        await storage.write("b/bad", Uint8Array.of(0x68, 0x69, 0x74, 0xff));
        await storage.write("elsewhere/bin", Uint8Array.of(0));
        const skipped: string[] = [];
        const onSkip = (path: string): void => void skipped.push(path);
        same(
          places(await findLines(storage, "hit", { root: "b", onSkip })),
          [
            ["b/a.md", 1],
            ["b/c/a.md", 2],
          ],
          "text",
        );
        same([...skipped].sort(), ["b/bad", "b/bin"], "skipped");
        skipped.length = 0;
        await findLines(storage, "hit", { root: "b", include: "*.md", onSkip });
        same(skipped, [], "not asked for by include");
        await findLines(storage, "hit", { root: "b", filters: [{ hide: ["b/bin"], show: [] }], onSkip });
        same(skipped, ["b/bad"], "a hidden one is not named");
      },
    },
    {
      name: "finds what was just written, and not what was just deleted",
      needs: ["writing"],
      run: async (storage) => {
        await put(storage, "a", "needle");
        same(places(await findLines(storage, "needle")), [["a", 1]], "written");
        await put(storage, "a", "hay");
        same(await findLines(storage, "needle"), [], "overwritten");
        await storage.delete("a");
        same(await findLines(storage, "hay"), [], "deleted");
      },
    },
  ],
};
