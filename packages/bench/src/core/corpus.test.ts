import { describe, expect, it } from "vitest";
import { COMMON, corpusOf, corpusPath, RARE, REGEX, textOfBytes } from "./corpus.ts";

describe("corpusOf", () => {
  it("is the same each time, in files of its own, with the needles where they are said to be", () => {
    const files = [...corpusOf(200)];
    expect(files).toEqual([...corpusOf(200)]);
    expect(new Set(files.map(({ path }) => path)).size).toBe(200);
    const holding = (pattern: RegExp): number => files.filter(({ text }) => pattern.test(text)).length;
    expect([holding(new RegExp(RARE)), holding(new RegExp(COMMON)), holding(new RegExp(REGEX))]).toEqual([3, 100, 2]);
  });

  it("puts 20 files into a directory and 50 directories into a package", () => {
    expect([0, 19, 20, 999, 1_000].map(corpusPath)).toEqual([
      "/src/p0/m0/f0.ts",
      "/src/p0/m0/f19.json",
      "/src/p0/m1/f0.ts",
      "/src/p0/m49/f19.json",
      "/src/p1/m0/f0.ts",
    ]);
  });
});

describe("textOfBytes", () => {
  it("is that long and ends a line", () => {
    expect(textOfBytes(4_096)).toHaveLength(4_096);
    expect(textOfBytes(4_096).endsWith("\n")).toBe(true);
  });
});
