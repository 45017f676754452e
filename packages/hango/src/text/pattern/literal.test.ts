import { describe, expect, it } from "vitest";
import { HangoError } from "../../errors.ts";
import { runMatch, shownMatches } from "./match-support.ts";
import { parsePattern } from "./pattern.ts";

function refusal(source: string): HangoError {
  try {
    parsePattern(source, { literal: true });
  } catch (error) {
    if (error instanceof HangoError) return error;
    throw error;
  }
  throw new Error("accepted");
}

const table: readonly (readonly [string, string, boolean, string])[] = [
  ["config.load(", "cfg = config.load(path)\nconfigXload(", false, "1:7"],
  ["a.b*", "a.b*\naxbb", false, "1:1"],
  ["(?i)a", "A\n(?i)a", false, "2:1"],
  ["***=a", "a\n***=a", false, "2:1"],
  ["😀b", "é😀b", false, "1:2"],
  ["aab", "aaab", false, "1:2"],
  ["aa", "aaa\nbaa\n\naa", false, "1:1 2:2 4:1"],
  ["Straße", "STRAẞE\nstraße\nSTRASSE", true, "1:1 2:1"],
  ["ΣΑΣ", "xσας", true, "1:2"],
  ["𐐀b", "é𐐨B", true, "1:2"],
  ["k", "\u212a\nK", true, "2:1"],
  ["K", "k", false, ""],
  // A CR before LF is no part of the line; one inside it, or at the end of a last line, is.
  ["a\r", "a\r\na\rb\na\r\r\na\r", false, "2:1 3:1 4:1"],
  ["\r", "\r\n\r\r\n", false, "2:1"],
  ["a", "\ufeffa\n\ufeffa", false, "1:1 2:2"],
  ["\ufeff", "\ufeffa\n\ufeffa", false, "2:1"],
];

describe("literal patterns", () => {
  it.each(table)("%j on %j (ignore case: %j) is found at %j", (source, content, ignoreCase, expected) => {
    expect(shownMatches(source, content, { literal: true, ignoreCase })).toBe(expected);
  });

  it("takes 4096 bytes and not one more", () => {
    for (const text of ["a".repeat(4095), "a".repeat(4096), "é".repeat(2048), "😀".repeat(1024)]) {
      const pattern = parsePattern(text, { literal: true });
      expect(runMatch(pattern, `x${text}`).matches).toEqual([{ line: 1, column: 2 }]);
    }
    for (const text of ["a".repeat(4097), `${"é".repeat(2048)}a`, `${"😀".repeat(1024)}a`, "a".repeat(1_000_000)]) {
      const error = refusal(text);
      expect(error.code).toBe("invalid_pattern");
      expect(error.message).toContain("literal");
      expect(error.message).toContain("4096 bytes");
      expect(error.message.length).toBeLessThan(500);
    }
  });

  it("refuses LF, NUL and half of a pair, and says where", () => {
    for (const [source, message] of [
      ["a\nb", "line-wise"],
      ["a\0", "NUL"],
      ["a\ud800", "surrogate"],
    ] as const) {
      const error = refusal(source);
      expect(error.code).toBe("invalid_pattern");
      expect(error.message).toContain(message);
      expect(error.message).toContain("literal");
      expect(error.details?.["offset"]).toBe(1);
      expect(error.message).not.toMatch(/[\0-\x1f\ud800-\udfff]/);
    }
  });
});
