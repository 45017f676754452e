/** grep: one dialect, line by line, with the place of each match. */
import type { GrepHit, GrepQuery, Storage } from "../../storage.ts";
import { parseGlob } from "../../text/glob.ts";
import { parsePattern } from "../../text/pattern/pattern.ts";
import { holds, same } from "../assert.ts";
import { type CaseGroup, put } from "../case.ts";

interface Asked extends Partial<Omit<GrepQuery, "pattern" | "include">> {
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  readonly include?: string;
}

function find(storage: Storage, source: string, { literal = false, ignoreCase = false, include, ...query }: Asked = {}): Promise<readonly GrepHit[]> {
  return storage.grep({
    pattern: parsePattern(source, { literal, ignoreCase }),
    root: "",
    context: 0,
    limit: 1000,
    ...(include === undefined ? {} : { include: parseGlob(include) }),
    ...query,
  });
}
const places = (hits: readonly GrepHit[]): readonly (readonly [string, number])[] => hits.map((hit) => [hit.path, hit.line]);

/** Content, pattern, lines that match. */
const TABLE: readonly (readonly [string, string, readonly number[]])[] = [
  ["a new day\nnewest\nrenewal\n", "\\bnew\\b", [1]],
  ["a new day\nnewest\nrenewal\n", "\\Bnew", [3]],
  ["zip 02139\né\n", "\\d{5}", [1]],
  ["zip 02139\né\n", "\\w", [1]],
  ["zip 02139\né\n", "(?<y>\\d)", [1]],
  ["zip 02139\né\n", "(?i)ZIP", [1]],
  ["DOGGIE\ndog \nDOG", "^DOG$", [3]],
  ["DOGGIE\ndog \nDOG", "^d.+", [2]],
  ["test line 1\ntest line 2", "1\\stest", []],
  ["test line 1\ntest line 2", "1\\Dtest", []],
  ["test line 1\ntest line 2", "1[^x]*test", []],
  ["test line 1\ntest line 2", "1.*2", []],
  ["f();\r\ng();\r\n", "\\);$", [1, 2]],
  ["f();\r\r\ng();\r\n", "\\);$", [2]],
  ["a\r", "a$", []],
  ["a\r\n", "a$", [1]],
  ["\ufeffimport os\n\ufeffx\n", "^import", [1]],
  ["\ufeffimport os\n\ufeffx\n", "^x", []],
  ["\ufeffimport os\n\ufeffx\n", "^.x", [2]],
  ["# 4. Conversation Workflow\n", "^# 4\\. Conversation", [1]],
  ["x\n0\n", "0", [2]],
  ["a\n\nb\n", "^$", [2]],
  ["a\n", "^$", []],
  ["", "^$", []],
  ["\n", "^$", [1]],
  ["a\nb", "a*", [1, 2]],
  ["foo\nbar\nbaz", "foo|baz", [1, 3]],
  ["ab\nabab\naba", "^(ab)+$", [1, 2]],
  ["color colour", "colou?r$", [1]],
  ["interface{}", "interface{}", [1]],
  ["x\u000by", "x\\sy", []],
  ["x\u00a0y", "x\\sy", []],
  ["x\ty", "x\\sy", [1]],
  ["K is Kelvin: \u212a", "[k]$", []],
  ["\u{1F600}!", "^.!$", [1]],
  ["é\nÉ\n", "[é-ë]", [1]],
  ["a.b\naxb\n", "a\\.b", [1]],
  ["naïve\n", "[[:alpha:]]{3}", []],
  ["naive\n", "^[[:alpha:]]{5}$", [1]],
  ["abc-def_1\n", "[\\w-.]+$", [1]],
  ["]x", "^[]x]+$", [1]],
  ["caf\u00e9", "[^\\x00-\\x7F]", [1]],
  ["a\u2028b", "^a.b$", [1]],
  ["a\u0085b", "^a.b$", [1]],
  ["a\rb", "^a.b$", [1]],
];

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
    {
      name: "matches line by line as the dialect says",
      files: Object.fromEntries(TABLE.map(([content], index) => [`${index}.txt`, content])),
      run: async (storage) => {
        for (const [index, [content, source, lines]] of TABLE.entries())
          same(
            (await find(storage, source, { root: `${index}.txt` })).map((hit) => hit.line),
            lines,
            `${source} in ${JSON.stringify(content)}`,
          );
      },
    },
    {
      name: "finds in path order, then line order, below a root, in one file, by include",
      files: FILES,
      run: async (storage) => {
        same(
          places(await find(storage, "hit")),
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
          places(await find(storage, "hit", { root: "b" })),
          [
            ["b/a.md", 1],
            ["b/c/a.md", 2],
          ],
          "below b",
        );
        same(places(await find(storage, "hit", { root: "my_project" })), [["my_project/a.txt", 1]], "an underscore is ordinary");
        same(
          places(await find(storage, "hit", { root: "a.txt" })),
          [
            ["a.txt", 1],
            ["a.txt", 3],
          ],
          "one file",
        );
        same(places(await find(storage, "hit", { root: "nowhere" })), [], "nothing");
        same(
          places(await find(storage, "hit", { include: "*.md" })),
          [
            ["b/a.md", 1],
            ["b/c/a.md", 2],
            ["b2/a.md", 1],
          ],
          "include at any depth",
        );
        same(
          places(await find(storage, "hit", { include: "/*.txt" })),
          [
            ["a.txt", 1],
            ["a.txt", 3],
          ],
          "include anchored",
        );
        same(places(await find(storage, "hit", { root: "b", include: "/*.md" })), [["b/a.md", 1]], "include anchored at the root given");
        same(places(await find(storage, "hit", { root: "b", include: "c/**" })), [["b/c/a.md", 2]], "include below the root given");
        same(
          [places(await find(storage, "hit", { root: "b/a.md", include: "*.md" })), places(await find(storage, "hit", { root: "b/a.md", include: "*.txt" }))],
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
          (await find(storage, "hit", { root: "c.txt" })).map((hit) => [hit.line, hit.column, hit.text]),
          [
            [1, 4, "\u{1F600}é hit hit"],
            [3, 2, "\ufeffhit"],
          ],
          "hit",
        );
        same(
          (await find(storage, "abc.*z|b", { root: "c.txt" })).map((hit) => hit.column),
          [3],
          "the leftmost of two branches",
        );
        same(
          (await find(storage, "hit", { root: "bom.txt" })).map((hit) => [hit.column, hit.text]),
          [[1, "hit"]],
          "no mark, no CR",
        );
      },
    },
    {
      name: "ignores case by one table, and takes a literal as it is",
      files: { "i.txt": "Straße CAFÉ\nσίγμας Σ\nk \u212a\na.b[c](d)\n$1 \\d+\nÄ" },
      run: async (storage) => {
        const lines = async (source: string, options: Asked): Promise<readonly number[]> => (await find(storage, source, options)).map((hit) => hit.line);
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
        const hits = await find(storage, "TODO");
        same([hits.length, hits.at(-1)?.path, hits.at(-1)?.line], [1000, "one.txt", 1000], "limit 1000");
        same(
          (await find(storage, "TODO", { limit: 1 })).map((hit) => hit.line),
          [1],
          "limit 1",
        );
        same(
          places((await find(storage, "TODO", { limit: 2000 })).slice(-2)),
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
          places(await find(storage, "hit", { filters, limit: 2 })),
          [
            ["b/c/a.md", 2],
            ["b2/a.md", 1],
          ],
          "limit 2",
        );
        same(places(await find(storage, "hit", { filters, root: "a.txt" })), [], "a hidden file as the root");
      },
    },
    {
      name: "shows a line over 500 characters as a window around its match, and a shorter one whole",
      files: { "w.txt": `${"x".repeat(499)}M\n${"x".repeat(500)}M\n${"\u{1F600}".repeat(3000)}MATCH${"y".repeat(3000)}\nM${"z".repeat(2000)}` },
      run: async (storage) => {
        const hits = await find(storage, "M");
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
        const hits = await find(storage, "hit", { context: 2 });
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
          places(await find(storage, "hit", { root: "b", onSkip })),
          [
            ["b/a.md", 1],
            ["b/c/a.md", 2],
          ],
          "text",
        );
        same([...skipped].sort(), ["b/bad", "b/bin"], "skipped");
        skipped.length = 0;
        await find(storage, "hit", { root: "b", include: "*.md", onSkip });
        same(skipped, [], "not asked for by include");
        await find(storage, "hit", { root: "b", filters: [{ hide: ["b/bin"], show: [] }], onSkip });
        same(skipped, ["b/bad"], "a hidden one is not named");
      },
    },
    {
      name: "finds what was just written, and not what was just deleted",
      needs: ["writing"],
      run: async (storage) => {
        await put(storage, "a", "needle");
        same(places(await find(storage, "needle")), [["a", 1]], "written");
        await put(storage, "a", "hay");
        same(await find(storage, "needle"), [], "overwritten");
        await storage.delete("a");
        same(await find(storage, "hay"), [], "deleted");
      },
    },
  ],
};
