import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, lineAfter, lineAt, lineBefore, splitLines } from "./lines.ts";
import { clipLine, lineWindow } from "./window.ts";

describe("splitLines", () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ["an empty file has no lines", "", []],
    ["one LF is one empty line", "\n", [""]],
    ["a final LF opens no line", "a\n", ["a"]],
    ["nor does its absence take one", "a", ["a"]],
    ["two final LFs are an empty line", "a\n\n", ["a", ""]],
    ["CRLF", "a\r\nb\r\n", ["a", "b"]],
    ["one CR before the LF goes, a second stays", "a\r\r\n", ["a\r"]],
    ["a last line without LF keeps its CR", "a\r\nb\r", ["a", "b\r"]],
    ["a CR alone ends nothing", "a\rb\n", ["a\rb"]],
    ["a file of one byte order mark is one empty line", "\ufeff", [""]],
    ["a mark and a LF", "\ufeff\n", [""]],
    ["a mark and CRLF", "\ufeff\r\n", [""]],
    ["only the first mark goes", "\ufeff\ufeffa\n\ufeffx\n", ["\ufeffa", "\ufeffx"]],
    ["a form feed and Unicode line ends are ordinary", "a\f\n\u2028\u2029\u0085\v\nb\n", ["a\f", "\u2028\u2029\u0085\v", "b"]],
    ["a lone CR file", "\r", ["\r"]],
    ["CRLF alone", "\r\n", [""]],
  ];
  for (const [what, content, lines] of rows)
    it(what, () => {
      expect(splitLines(content)).toEqual(lines);
      expect(countLines(content)).toBe(lines.length);
    });

  it("countLines and walking from line to line agree, whatever the text", () => {
    const text = fc.array(fc.constantFrom("a", "\n", "\r", "\r\n", "\ufeff", "\u2028"), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (content) => {
        const lines = splitLines(content);
        expect(countLines(content)).toBe(lines.length);
        expect(lines.some((line) => line.includes("\n"))).toBe(false);
        const starts: number[] = [];
        for (let at: number | undefined = content === "" ? undefined : content.startsWith("\ufeff") ? 1 : 0; at !== undefined; at = lineAfter(content, at))
          starts.push(at);
        expect(starts.map((start) => lineAt(content, start))).toEqual(lines);
        expect(starts.map((start) => lineBefore(content, start))).toEqual([undefined, ...starts].slice(0, starts.length));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("lineWindow", () => {
  it("shows a line whole up to 500 characters", () => {
    for (const length of [499, 500]) expect(lineWindow("x".repeat(length), 300)).toHaveLength(length);
    expect(lineWindow("x".repeat(501), 1)).toHaveLength(500);
    expect(lineWindow("😀".repeat(500), 500)).toBe("😀".repeat(500));
    expect(lineWindow(`${"😀".repeat(500)}z`, 1)).toBe("😀".repeat(500));
  });

  it("starts 100 characters before the match", () => {
    const line = Array.from({ length: 2000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    for (const [column, first] of [
      [1, 1],
      [100, 1],
      [101, 1],
      [102, 2],
      [1000, 900],
    ] as const)
      expect(lineWindow(line, column)).toBe(line.slice(first - 1, first + 499));
    expect(lineWindow(line, 2000)).toBe(line.slice(1899));
  });
});

it("clipLine keeps the first 500 characters", () => {
  expect(clipLine("x".repeat(500))).toHaveLength(500);
  expect(clipLine("x".repeat(501))).toHaveLength(500);
  expect(clipLine(`a${"😀".repeat(600)}`)).toBe(`a${"😀".repeat(499)}`);
  expect(clipLine("a")).toBe("a");
});
