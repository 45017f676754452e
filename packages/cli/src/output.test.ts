import { describe, expect, it } from "vitest";
import { counted, plain, size } from "./output.ts";

describe("what a terminal is shown of a file", () => {
  it.each([
    ["an escape sequence", "a\u001B[2Jb", "a\uFFFD[2Jb"],
    ["a turned line, which would show other text than a person approves", "x\u202Ey", "x\uFFFDy"],
    ["a mark that turns what stands beside it", "a\u200Fb\u061Cc", "a\uFFFDb\uFFFDc"],
    ["a character of no width, which hides in a name that looks like another", "pay\u200Bload \uFEFFx", "pay\uFFFDload \uFFFDx"],
    ["tabs, and the joiner inside an emoji, which are what they seem", "a\tb 👩\u200D💻", "a\tb 👩\u200D💻"],
  ])("%s", (_, text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});

describe("numbers", () => {
  it("are written as people write them", () => {
    expect([counted(1, "file"), counted(1204, "file"), size(840), size(999_999), size(1_200_000)]).toEqual([
      "1 file",
      "1,204 files",
      "840 bytes",
      "1000 KB",
      "1.2 MB",
    ]);
  });
});
