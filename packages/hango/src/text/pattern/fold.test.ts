import { describe, expect, it } from "vitest";
import { foldCodePoint, foldRanges } from "./fold.ts";

function partners(character: string): string {
  const codePoint = character.codePointAt(0) as number;
  const ranges = foldRanges([codePoint, codePoint]);
  let out = "";
  for (let i = 0; i < ranges.length; i += 2)
    for (let member = ranges[i] as number; member <= (ranges[i + 1] as number); member++) out += String.fromCodePoint(member);
  return out;
}

describe("folding", () => {
  it.each([
    ["k", "Kk"],
    ["K", "Kk"],
    ["s", "Ss"],
    ["i", "Ii"],
    ["1", "1"],
    ["\u212a", "\u212a"],
    ["ſ", "ſ"],
    ["İ", "İ"],
    ["ı", "ı"],
    ["é", "Éé"],
    ["Σ", "Σςσ"],
    ["ς", "Σςσ"],
    ["ß", "ßẞ"],
    ["ẞ", "ßẞ"],
    ["µ", "µΜμ"],
    ["ǅ", "Ǆǅǆ"],
    ["𐐀", "𐐀𐐨"],
    ["\u{1e943}", "\u{1e921}\u{1e943}"],
    ["中", "中"],
  ])("%j folds to %j", (character, expected) => {
    expect(partners(character)).toBe(expected);
  });

  it("is an equivalence: whatever folds together has one representative", () => {
    let count = 0;
    for (let codePoint = 0x80; codePoint <= 0x1e943; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const members = [...partners(String.fromCodePoint(codePoint))].map((member) => member.codePointAt(0) as number);
      if (members.length === 1) continue;
      count++;
      expect(new Set(members.map(foldCodePoint)).size).toBe(1);
      expect(Math.min(...members)).toBeGreaterThanOrEqual(0x80);
    }
    expect(count).toBeGreaterThan(2_800);
  });

  it("has every pair of the Unicode tables: no chunk without case was passed over in error", () => {
    for (let codePoint = 0x80; codePoint <= 0x10ffff; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const text = String.fromCodePoint(codePoint);
      for (const mapped of [text.toLowerCase(), text.toUpperCase()]) {
        const other = mapped.codePointAt(0) as number;
        if (other < 0x80 || mapped.length !== String.fromCodePoint(other).length) continue;
        if (foldCodePoint(codePoint) !== foldCodePoint(other)) throw new Error(`U+${codePoint.toString(16)} and U+${other.toString(16)}`);
      }
    }
  });

  it("folds ranges that cross ASCII and beyond", () => {
    expect(foldRanges([0x58, 0x62])).toEqual([0x41, 0x42, 0x58, 0x62, 0x78, 0x7a]);
    expect(foldRanges([0xe0, 0xe1])).toEqual([0xc0, 0xc1, 0xe0, 0xe1]);
  });
});
