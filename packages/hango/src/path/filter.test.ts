import { describe, expect, it } from "vitest";
import type { PathFilter } from "../storage.ts";
import { isCovered, isShown, reachesInto } from "./filter.ts";

/** A list that can't change any more and counts how often one of its entries is looked at. */
function counted(entries: readonly string[]): { readonly list: readonly string[]; readonly looks: () => number } {
  let looks = 0;
  const list: string[] = [];
  for (const [index, entry] of entries.entries())
    Object.defineProperty(list, index, { enumerable: true, configurable: true, get: () => ((looks += 1), entry) });
  return { list: Object.freeze(list), looks: () => looks };
}

const many = (count: number, entry: (index: number) => string): readonly string[] => Array.from({ length: count }, (_, index) => entry(index));

describe("a long list of a filter", () => {
  it('is read once, and not once for each path: "20,000 files, 5,000 paths: 24 s, the event loop held all the time"', () => {
    const hidden = counted([...many(2_500, (index) => `left/out-${index}/`), ...many(2_500, (index) => `left/${index}.md`)]);
    const excepted = counted(many(5_000, (index) => `left/out-${index}/but`));
    const filters: readonly PathFilter[] = [{ hide: hidden.list, show: excepted.list }];
    const paths = ["left/out-7/a", "left/out-7/a/b/c", "left/out-7/but", "left/out-7", "left/7.md", "left/2500.md", "a", "left/out-7000/a"];
    for (let round = 0; round < 100; round++) expect(paths.map((path) => isShown(path, filters))).toEqual([false, false, true, true, false, true, true, true]);
    expect([hidden.looks(), excepted.looks()]).toEqual([5_000, 5_000]);
  });

  it("says what a short one says, of every kind of entry", () => {
    const entries = ["a", "a/b/", "dir/", "x/y/z", "É/", "", "a-b/c/"];
    const long = Object.freeze([...entries, ...many(100, (index) => `filler/${index}/`)]);
    const paths = [
      "",
      "a",
      "a/",
      "a/b",
      "a/b/",
      "a/b/c",
      "a/b/c/d",
      "a/bc",
      "dir",
      "dir/",
      "dir/a",
      "dirt",
      "x/y/z",
      "x/y/z/a",
      "x/y",
      "É/a",
      "é/a",
      "a-b/c/d",
    ];
    for (const path of paths) {
      expect(isCovered(path, long), path).toBe(isCovered(path, entries));
      if (path.endsWith("/")) expect(reachesInto(path, long), path).toBe(reachesInto(path, entries));
    }
    for (const path of paths) expect(isCovered(path, Object.freeze([...long, "/"])), path).toBe(true);
  });

  it("is looked up from 32 entries on, and walked before: both say the same", () => {
    for (const count of [31, 32, 33]) {
      const list = Object.freeze(many(count, (index) => `d/${index}/`));
      expect([isCovered(`d/${count - 1}/a`, list), isCovered(`d/${count}/a`, list), reachesInto("d/", list), reachesInto("e/", list)], String(count)).toEqual([
        true,
        false,
        true,
        false,
      ]);
    }
  });

  it("that may still change is read anew each time", () => {
    const hide = [...many(100, (index) => `d/${index}`)];
    expect(isShown("d/100", [{ hide, show: [] }])).toBe(true);
    hide.push("d/100");
    expect(isShown("d/100", [{ hide, show: [] }])).toBe(false);
  });
});
