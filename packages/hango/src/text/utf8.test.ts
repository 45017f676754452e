import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { escapeText, quoteText } from "./quote.ts";
import { checkText, codePointLength, decodeText, encodeUtf8, sliceCodePoints, utf8Length } from "./utf8.ts";

describe("decodeText", () => {
  it("gives back text whole, byte order marks included", () => {
    for (const text of ["", "a", "\ufeffimport os\n", "\ufeff\ufeff", "é漢😀", "a\r\n\u2028\u0085\u0001", "\ufffd"])
      expect(decodeText(encodeUtf8(text))).toBe(text);
  });

  const binary: readonly (readonly [string, readonly number[]])[] = [
    ["a NUL", [97, 0]],
    ["a stray continuation byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a cut character", [0xe6, 0xbc]],
    ["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
    ["Latin-1", [0x63, 0x61, 0x66, 0xe9]],
  ];
  for (const [what, bytes] of binary)
    it(`takes ${what} for binary`, () => {
      expect(decodeText(Uint8Array.from(bytes))).toBeUndefined();
    });
});

describe("checkText", () => {
  it("takes every well-formed text without NUL", () => {
    for (const text of ["", "\ufeff", "😀", "\u0001\u0085\u2028", "\ufffd"]) expect(checkText(text)).toBeUndefined();
  });

  it("refuses NUL and lone surrogates, naming the line and the path, without raw NUL in the message", () => {
    const rows = [
      ["a\nb\0", /NUL character in line 2/],
      ["\ud800", /lone surrogate.*line 1/],
      ["😀\n\n\udc00x", /lone surrogate.*line 3/],
      ["a\ud83d", /lone surrogate/],
      [undefined, /must be a string/],
      [5, /must be a string/],
    ] as const;
    for (const [text, message] of rows) {
      try {
        checkText(text as string, "docs/a.md");
        expect.unreachable();
      } catch (error) {
        expect(isHangoError(error, "invalid_content") && error.path).toBe("/docs/a.md");
        expect((error as Error).message).toMatch(message);
        expect((error as Error).message).toContain("/docs/a.md");
        expect((error as Error).message).not.toContain("\0");
      }
    }
  });
});

describe("lengths", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 50 });

  it("equal the platform's", () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), fc.nat(60), (text, start, count) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
        expect(codePointLength(text)).toBe([...text].length);
        expect(sliceCodePoints(text, start, count)).toBe([...text].slice(start, start + count).join(""));
      }),
      { numRuns: 2000 },
    );
  });

  it("never cut a character in two", () => {
    expect(sliceCodePoints("a😀b", 1, 1)).toBe("😀");
    expect(sliceCodePoints("a😀b", 2, 5)).toBe("b");
    expect(sliceCodePoints("a😀b", 9, 5)).toBe("");
    expect(sliceCodePoints("a😀b", 0, 0)).toBe("");
  });
});

describe("quoted text", () => {
  it("escapes what a log or terminal would act on and keeps the rest", () => {
    expect(quoteText("a\0\n\u001b[31m\u202e\u2028\u009f\ufeff\ud800é😀漢")).toBe('"a\\u0000\\u000a\\u001b[31m\\u202e\\u2028\\u009f\\ufeff\\ud800é😀漢"');
  });

  it("is cut between characters", () => {
    expect(escapeText("abc", 3)).toBe("abc");
    expect(escapeText("abcd", 3)).toBe("abc…");
    expect(escapeText("ab😀", 3)).toBe("ab…");
  });
});
