import { describe, expect, it } from "vitest";
import { size } from "./output.ts";
import { parseAge, parseLines, parseSize, wholeNumber } from "./size.ts";

describe("a size", () => {
  it.each([
    ["0", 0],
    ["1048576", 1_048_576],
    ["10MB", 10_000_000],
    ["10 mb", 10_000_000],
    ["1.5KiB", 1536],
    ["1B", 1],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ])("%j is %d bytes", (text, bytes) => expect(parseSize(text)).toBe(bytes));
  it.each(["", "MB", "-1", "10XB", "1e3", "10MBs", "9007199254740992", "constructor", "1constructor"])("%j is refused", (text) =>
    expect(() => parseSize(text)).toThrow("such as 10MB"),
  );
  it.each([
    [1, "1 byte"],
    [999, "999 bytes"],
    [1000, "1.0 KB"],
    [123_456, "123 KB"],
    [1_200_000, "1.2 MB"],
  ])("%d is shown as %s", (bytes, text) => expect(size(bytes)).toBe(text));
});

describe("an age", () => {
  it.each([
    ["30d", 30 * 86_400_000],
    ["12h", 43_200_000],
    ["0s", 0],
  ])("%j is %d ms", (text, ms) => expect(parseAge(text)).toBe(ms));
  it.each(["", "30", "d", "30 days", "-1d", "1.5d", "99999999999999d"])("%j is refused", (text) => expect(() => parseAge(text)).toThrow("such as 30d"));
});

describe("a range of lines", () => {
  it.each([
    ["10:20", { from: 10, to: 20 }],
    ["10:", { from: 10 }],
    [":20", { from: 1, to: 20 }],
    ["7", { from: 7, to: 7 }],
  ])("%j", (text, range) => expect(parseLines(text)).toEqual(range));
  it.each(["", ":", "0", "0:3", "5:4", "a:b", "1:2:3", "-1"])("%j is refused", (text) => expect(() => parseLines(text)).toThrow("count from 1"));
});

describe("a whole number", () => {
  it.each(["1", "20"])("%s from 1 to 20 is taken", (text) => expect(wholeNumber(1, 20)(text)).toBe(Number(text)));
  it.each(["0", "21", "1.5", "", "x"])("%j from 1 to 20 is refused", (text) => expect(() => wholeNumber(1, 20)(text)).toThrow("from 1 to 20"));
});
