/** lines: what a line is, which are shown, where one is clipped. */
import type { LinePage, LineQuery, Storage } from "../../storage.ts";
import { refused, same } from "../assert.ts";
import type { CaseGroup } from "../case.ts";

function page(storage: Storage, path: string, query: Partial<LineQuery> = {}): Promise<LinePage> {
  return storage.lines(path, { offset: 1, limit: 100, column: 1, maxLineChars: 5000, ...query });
}

/** Content, its lines as shown. */
const SPLIT: readonly (readonly [string, readonly string[]])[] = [
  ["", []],
  ["\n", [""]],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\n\n", ["a", ""]],
  ["a\nb", ["a", "b"]],
  ["a\r\nb\r\n", ["a", "b"]],
  ["a\r\r\nb", ["a\r", "b"]],
  ["a\r", ["a\r"]],
  ["a\rb\n", ["a\rb"]],
  ["\r\n", [""]],
  ["\ufeffa\n\ufeffb\n", ["a", "\ufeffb"]],
  ["\ufeff", [""]],
  ["\ufeff\r\n", [""]],
  ["\ufeff\ufeffa", ["\ufeffa"]],
  ["a\u2028b\u0085c\fd\ve\n", ["a\u2028b\u0085c\fd\ve"]],
  ["\u{1F600}\t\u{1F600}\n", ["\u{1F600}\t\u{1F600}"]],
];

export const lineCases: CaseGroup = {
  topic: "lines",
  cases: [
    {
      name: "splits at LF only; one CR before it and one mark at the start are not shown; a final LF opens no line",
      files: Object.fromEntries(SPLIT.map(([content], index) => [`${index}.txt`, content])),
      run: async (storage) => {
        for (const [index, [content, lines]] of SPLIT.entries()) {
          const answer = await page(storage, `${index}.txt`);
          same([answer.lines.map((line) => line.text), answer.totalLines], [lines, lines.length], JSON.stringify(content));
          same(
            answer.lines.map((line) => [line.number, line.clipped]),
            lines.map((_, at) => [at + 1, false]),
            `numbers of ${JSON.stringify(content)}`,
          );
        }
      },
    },
    {
      name: "shows the window asked for, and nothing past the end",
      files: { "f.txt": "1\n2\n3\n4\n5\n" },
      run: async (storage) => {
        const numbers = async (offset: number, limit: number): Promise<readonly number[]> =>
          (await page(storage, "f.txt", { offset, limit })).lines.map((line) => line.number);
        same(await numbers(2, 2), [2, 3], "inside");
        same(await numbers(4, 10), [4, 5], "to the end");
        same(await numbers(5, 1), [5], "the last");
        same(await numbers(6, 1), [], "one past the end");
        same((await page(storage, "f.txt", { offset: 1_000_000_000 })).totalLines, 5, "totalLines far past the end");
      },
    },
    {
      name: "clips a line in code points, one under, at and over the limit, and column goes on from there",
      files: { "l.txt": `${"\u{1F600}".repeat(9)}\n${"\u{1F600}".repeat(10)}\n${"\u{1F600}".repeat(10)}é\nend` },
      run: async (storage) => {
        const all = await page(storage, "l.txt", { maxLineChars: 10 });
        same(
          all.lines.map((line) => [[...line.text].length, line.clipped]),
          [
            [9, false],
            [10, false],
            [10, true],
            [3, false],
          ],
          "clipped",
        );
        const rest = await page(storage, "l.txt", { offset: 3, limit: 2, column: 11, maxLineChars: 10 });
        same([rest.lines.map((line) => line.text), rest.firstLineChars], [["é", "end"], 11], "from column 11");
        const middle = await page(storage, "l.txt", { offset: 3, limit: 1, column: 6, maxLineChars: 3 });
        same([middle.lines[0]?.text, middle.lines[0]?.clipped], ["\u{1F600}".repeat(3), true], "from column 6");
        const past = await page(storage, "l.txt", { offset: 4, limit: 1, column: 9, maxLineChars: 10 });
        same(past.firstLineChars, 3, "length of the line, column past its end");
      },
    },
    {
      name: "reads any part of one long line",
      files: { "one.json": `${"x".repeat(20_000)}NEEDLE${"y".repeat(20_000)}` },
      run: async (storage) => {
        const answer = await page(storage, "one.json", { column: 20_001, maxLineChars: 6 });
        same([answer.lines[0]?.text, answer.lines[0]?.clipped, answer.firstLineChars, answer.totalLines], ["NEEDLE", true, 40_006, 1], "the part");
      },
    },
    {
      name: "refuses binary content with not_text, and a directory with not_a_file",
      needs: ["writing"],
      run: async (storage) => {
        for (const [path, bytes] of [
          ["nul", [0x61, 0, 0x62]],
          ["cut", [0x61, 0xe2, 0x82]],
          ["overlong", [0xc0, 0xaf]],
          ["surrogate", [0xed, 0xa0, 0x80]],
        ] as const) {
          await storage.write(`b/${path}`, Uint8Array.from(bytes));
          await refused("not_text", () => page(storage, `b/${path}`), path);
        }
        await refused("not_a_file", () => page(storage, "b"), "a directory");
      },
    },
    {
      name: "reads nothing but the bytes as stored: a form feed and U+2028 open no line",
      files: { "mod.py": "def alpha():\n    return 1\n\n\f\ndef beta():\n    TARGET = 1\u2028x\n" },
      run: async (storage) => same((await page(storage, "mod.py", { offset: 6, limit: 1 })).lines[0]?.text, "    TARGET = 1\u2028x", "line 6"),
    },
  ],
};
