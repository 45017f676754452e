import { describe, expect, it } from "vitest";
import { createPrng } from "../../../text/pattern/fuzz-support.ts";
import { keysOf, keysWithin, sortedKeysOf } from "./visible-keys.ts";

describe("the keys of a filter's list", () => {
  it("are in stored form, and stay in the order given", () => {
    expect(keysOf(["b/", "a", "a/", "/"])).toEqual({ below: ["/b/", "/a/", "/"], exact: ["/a"] });
  });

  it.each([
    [[], [], []],
    [
      ["b/", "a/", "b", "a"],
      ["/a/", "/b/"],
      ["/a", "/b"],
    ],
    [["a/b/", "a/", "a/b/c/", "a-b/", "a0/"], ["/a-b/", "/a/", "/a0/"], []],
    [["a/", "a/"], ["/a/"], []],
    [["a/b/", "/", "z/"], ["/"], []],
    // In UTF-8 the emoji comes last; in UTF-16 it would be before it.
    [
      ["😀/", "\uff61/", "😀", "\uff61"],
      ["/\uff61/", "/😀/"],
      ["/\uff61", "/😀"],
    ],
    // Half a character matches no path there is; sent as it is, it would stand at another place than where it was sorted to.
    [["\ud800/", "\uff61/"], ["/\uff61/", "/\ufffd/"], []],
  ])("sorted, of %j are the topmost %j and %j", (entries, below, exact) => {
    expect(sortedKeysOf(entries)).toEqual({ below, exact });
  });

  it("are sorted once for a list that can't change any more", () => {
    const frozen = Object.freeze(["b/", "a/"]);
    expect(sortedKeysOf(frozen)).toBe(sortedKeysOf(frozen));
    const open = ["b/", "a/"];
    expect(sortedKeysOf(open).below).toEqual(["/a/", "/b/"]);
    open.push("A/");
    expect(sortedKeysOf(open).below).toEqual(["/A/", "/a/", "/b/"]);
  });

  it("within a range are the ones in it, and the one that covers its start", () => {
    const keys = sortedKeysOf(["a/", "b/c/", "b/d/", "b/d", "b/e", "c/", "c"]);
    expect(keysWithin(keys, { start: "/", end: "0" })).toEqual(keys);
    expect(keysWithin(keys, { start: "/b/d", end: "/b/d0" })).toEqual({ below: ["/b/c/", "/b/d/"], exact: ["/b/d"] });
    expect(keysWithin(keys, { start: "/b/d/x", end: "/b/d/x0" })).toEqual({ below: ["/b/d/"], exact: [] });
    expect(keysWithin(keys, { start: "/a/x/y", end: "/a/x/y0" })).toEqual({ below: ["/a/"], exact: [] });
    expect(keysWithin(keys, { start: "/c", end: "/c0" })).toEqual({ below: ["/b/d/", "/c/"], exact: ["/c"] });
    expect(keysWithin(keys, { start: "/0", end: "/00" })).toEqual({ below: [], exact: [] });
    expect(keysWithin(sortedKeysOf(["/", "a/"]), { start: "/z", end: "/z0" })).toEqual({ below: ["/"], exact: [] });
  });

  it("within a range match what all of them match there", () => {
    const prng = createPrng(20_261_201);
    const some = (): string => Array.from({ length: 1 + prng.below(4) }, () => prng.pick(["a", "b", "a-", "a0", "\uff61", "😀"])).join("/");
    const matches = (path: string, { below, exact }: ReturnType<typeof keysOf>): boolean => exact.includes(path) || below.some((head) => path.startsWith(head));
    for (let round = 0; round < 300; round++) {
      const keys = sortedKeysOf(Array.from({ length: prng.below(30) }, () => some() + (prng.chance(0.5) ? "/" : "")));
      const root = `/${some()}`;
      const near = keysWithin(keys, { start: root, end: `${root}0` });
      for (const path of [root, ...Array.from({ length: 10 }, () => `${root}/${some()}`)]) expect(matches(path, near), path).toBe(matches(path, keys));
    }
  });
});
