import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HangoError } from "../errors.ts";
import { findAll as find } from "./find.ts";
import { findAll, replaceExact } from "./replace.ts";

const edit = (text: string, oldText: string, newText: string, replaceAll = false): string =>
  replaceExact(text, oldText, newText, { replaceAll, path: "f.txt" }).text;

function refusal(text: string, oldText: string, newText: string, options: { readonly replaceAll?: boolean; readonly maxBytes?: number } = {}): HangoError {
  try {
    replaceExact(text, oldText, newText, { replaceAll: false, path: "f.txt", ...options });
  } catch (error) {
    if (error instanceof HangoError) {
      expect(error.path).toBe("/f.txt");
      return error;
    }
    throw error;
  }
  throw new Error("it was accepted");
}

describe("findAll", () => {
  const slow = (text: string, needle: string): { starts: number; positions: number[] } => {
    let starts = 0;
    const positions: number[] = [];
    for (let at = 0; at + needle.length <= text.length; at++) {
      if (!text.startsWith(needle, at)) continue;
      starts += 1;
      if (at >= (positions.at(-1) ?? -needle.length) + needle.length) positions.push(at);
    }
    return { starts, positions };
  };

  it("counts overlapping starts and finds leftmost places", () => {
    expect(findAll("aaa", "aa")).toEqual({ starts: 2, positions: [0] });
    expect(findAll("aaaa", "aa")).toEqual({ starts: 3, positions: [0, 2] });
    expect(findAll("ababab", "abab")).toEqual({ starts: 2, positions: [0] });
    expect(findAll("abc", "abcd")).toEqual({ starts: 0, positions: [] });
    expect(findAll("", "a")).toEqual({ starts: 0, positions: [] });
    expect(findAll("😀😀", "😀")).toEqual({ starts: 2, positions: [0, 2] });
  });

  it("equals the naive search on self-copying strings", () => {
    const piece = fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 8 }).map((units) => units.join(""));
    const copied = fc.tuple(piece, fc.array(piece, { maxLength: 4 }), fc.nat(5)).map(([unit, rest, times]) => unit.repeat(times) + rest.join(unit));
    fc.assert(
      fc.property(copied, fc.oneof(piece, copied), (text, needle) => {
        fc.pre(needle !== "");
        expect(findAll(text, needle)).toEqual(slow(text, needle));
      }),
      { numRuns: 5000 },
    );
  });

  it("is linear on needles that make indexOf quadratic", () => {
    const n = 1 << 18;
    const fibonacci = (): string => {
      let [a, b] = ["a", "ab"];
      while (b.length < n) [a, b] = [b, b + a];
      return b;
    };
    const word = fibonacci();
    const half = "a".repeat(n / 8);
    const rows = [
      ["a".repeat(n), `${half}b${half}`],
      ["a".repeat(n), `b${half}`],
      ["a".repeat(n), `${half}b`],
      ["a".repeat(n), half],
      [word, word.slice(0, n / 4)],
      ["ab".repeat(n / 2), `${"ab".repeat(n / 16)}aa`],
      [`${half}b`.repeat(8), `${half}c`],
    ] as const;
    for (const [text, needle] of rows) {
      const meter = { steps: 0 };
      find(text, needle, meter);
      expect(meter.steps).toBeLessThanOrEqual(2 * (text.length + needle.length));
    }
  });
});

describe("replaceExact", () => {
  it('"aa" in "aaa" is ambiguous: a plain split().length-1 gives 1 and edits silently', () => {
    const error = refusal("aaa", "aa", "b");
    expect([error.code, error.details?.["count"]]).toEqual(["ambiguous_match", 2]);
    expect(error.message).toMatch(/2 times/);
  });

  it("names the count and the lines of an ambiguous text", () => {
    const error = refusal("123456789\n123456789\n\n123456789\n", "123456789", "x");
    expect(error.message).toMatch(/occurs 3 times in \/f\.txt \(lines 1, 2, 4\).*replace_all/);
    expect(error.details?.["count"]).toBe(3);
    expect(refusal("a".repeat(100), "a", "b").message).toMatch(/100 times.*\(line 1, …\)/);
  });

  it("replaces leftmost non-overlapping places and reports that number", () => {
    expect(replaceExact("aaaaa", "aa", "b", { replaceAll: true, path: "f" })).toEqual({ text: "bba", replacements: 2 });
    expect(replaceExact("xyx", "x", "", { replaceAll: true, path: "f" })).toEqual({ text: "y", replacements: 2 });
    expect(replaceExact("abc", "b", "xbx", { replaceAll: true, path: "f" })).toEqual({ text: "axbxc", replacements: 1 });
  });

  it("takes the replacement literally: edit tools eat dollar signs", () => {
    expect(edit("a: a\n\techo a\n", "a", "$$", true)).toBe("$$: $$\n\techo $$\n");
    expect(edit("abc", "b", "$&$1$`$'\\1")).toBe("a$&$1$`$'\\1c");
  });

  it("refuses an empty old_string on every file, with or without replace_all", () => {
    for (const text of ["", "abc"])
      for (const replaceAll of [false, true]) {
        const error = refusal(text, "", "X", { replaceAll });
        expect(error.code).toBe("invalid_argument");
        expect(error.message).toMatch(/old_string is empty.*write_file/);
      }
  });

  it("finds no half of a character: old_string U+D83D cut the emoji in two and stored U+FFFD", () => {
    for (const half of ["\ud83d", "\ude00", "x\ud83d", "\ude00y"])
      for (const replaceAll of [false, true]) {
        const run = () => replaceExact("x\u{1f600}y", half, "z", { replaceAll, path: "a" });
        expect(run).toThrow(expect.objectContaining({ code: "no_match", message: expect.stringContaining("half of a character") }));
      }
  });

  it("refuses equal strings", () => {
    expect(refusal("abc", "b", "b").code).toBe("invalid_argument");
  });

  it("changes nothing outside the match", () => {
    expect(edit("a\r\nb\nc", "c", "C")).toBe("a\r\nb\nC");
    expect(edit("\ufeffimport os\nx = 1\n", "import os\n", "import sys\n")).toBe("\ufeffimport sys\nx = 1\n");
    expect(edit("a\nb", "b", "c")).toBe("a\nc");
    expect(edit("Hello World\n", " World", "")).toBe("Hello\n");
    expect(edit("whole", "whole", "")).toBe("");
  });

  it("tries both strings with CRLF when the text as sent is absent", () => {
    expect(edit("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz")).toBe("x\r\ny\r\nz\r\nc\r\n");
    expect(edit("a\r\nb\r\n", "a\r\nb\n", "x\r\ny\n")).toBe("x\r\ny\r\n");
    expect(edit("a\nb\r\na\r\nc", "a\nb", "X\nY")).toBe("X\nY\r\na\r\nc");
    expect(edit("a\r\nb", "a", "x\ny")).toBe("x\ny\r\nb");
    expect(refusal("a\nb", "a\r\nb", "x").code).toBe("no_match");
    expect(refusal("a\r\nb\r\na\r\nb", "a\nb", "x").details?.["count"]).toBe(2);
    expect(refusal("a\r\nb", "a\nb", "a\r\nb").message).toMatch(/already has CRLF/);
  });

  it("bounds the result before it is built", () => {
    expect(replaceExact("aé", "a", "bb", { replaceAll: false, path: "f", maxBytes: 4 }).text).toBe("bbé");
    for (const maxBytes of [2, 3]) expect(refusal("aé", "a", "bb", { maxBytes }).code).toBe("too_large");
    expect(refusal("a".repeat(100_000), "a", "x".repeat(100_000), { replaceAll: true }).code).toBe("too_large");
  });
});

describe("the hint of no_match", () => {
  const rows: readonly (readonly [string, string, string, RegExp])[] = [
    ["names a whitespace difference and its line", "alpha\n   beta_line\ngamma\n", "    beta_line", /only in whitespace.*\(line 2\)/],
    ["names a non-breaking space", "x\nconst RETRY\u00a0MAX = 3;\n", "RETRY MAX = 3", /non-breaking space.*\(line 2\)/],
    ["names a missing final newline", "a\nb", "b\n", /without the final newline.*\(line 2\)/],
    ["knows the line numbers of read_file", "a\nfoo\nbar\n", "     2\tfoo\n     3\tbar", /line numbers that read_file shows.*\(line 2\)/],
    ["names tabs against spaces", "if x:\n\treturn 1\n", "if x:\n    return 1\n", /only in whitespace.*\(line 1\)/],
    ["says that the file is empty", "", "a", /file is empty; use write_file/],
  ];
  for (const [what, text, oldText, hint] of rows)
    it(what, () => {
      const error = refusal(text, oldText, "new");
      expect(error.code).toBe("no_match");
      expect(error.message).toMatch(hint);
    });

  it("is silent when nothing is near, also for blanks", () => {
    for (const oldText of ["zzz", " \t ", "\n\n\n"])
      expect(refusal("alpha\n", oldText, "new").message).toBe("old_string was not found in /f.txt; the file is unchanged.");
  });
});
