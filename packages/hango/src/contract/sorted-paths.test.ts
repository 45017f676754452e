import { describe, expect, it } from "vitest";
import { comparePaths } from "../path/path.ts";
import { sortedPaths } from "./sorted-paths.ts";

describe("sortedPaths", () => {
  it("keeps UTF-8 byte order, whatever the order of adding", () => {
    const set = sortedPaths();
    for (const path of ["😀", "b", "a/b", "\uff61", "a.txt", "a", "a"]) set.add(path);
    expect([...set.after("")]).toEqual(["a", "a.txt", "a/b", "b", "\uff61", "😀"]);
    set.delete("a.txt");
    set.delete("not there");
    expect([...set.after("a")]).toEqual(["a/b", "b", "\uff61", "😀"]);
    expect([...set.after("a.txt")]).toEqual(["a/b", "b", "\uff61", "😀"]);
    expect([...set.after("😀")]).toEqual([]);
  });

  it("agrees with a sorted array after many changes", () => {
    const set = sortedPaths();
    const held = new Set<string>();
    let seed = 7;
    for (let step = 0; step < 20_000; step++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const path = `f${seed % 2_999}`;
      if (seed % 3 === 0) {
        set.delete(path);
        held.delete(path);
      } else {
        set.add(path);
        held.add(path);
      }
    }
    const sorted = [...held].sort(comparePaths);
    expect(sorted.length).toBeGreaterThan(1_500);
    expect([...set.after("")]).toEqual(sorted);
    for (const after of ["f1500", "f1500x", sorted[700] as string, "e", "g"])
      expect([...set.after(after)]).toEqual(sorted.filter((path) => comparePaths(path, after) > 0));
    for (const path of sorted) set.delete(path);
    expect([...set.after("")]).toEqual([]);
    set.add("again");
    expect([...set.after("")]).toEqual(["again"]);
  });
});
