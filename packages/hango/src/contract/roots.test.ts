import { describe, expect, it } from "vitest";
import { memoryStorage } from "../storages/memory.ts";
import { rootsOf, rootsOverlap, withRoots, withRootsOf, type DirectoryRoot } from "./roots.ts";

const root = (realPath: string, ...ids: readonly string[]): DirectoryRoot => ({ realPath, id: ids[0] ?? "", above: ids.slice(1) });

describe("the real directories below a storage", () => {
  it.each([
    ["the same", root("/a", "1:5", "1:2"), root("/b", "1:5", "1:2"), true],
    ["one inside the other", root("/a/x", "1:9", "1:5", "1:2"), root("/a", "1:5", "1:2"), true],
    ["one above the other", root("/a", "1:5", "1:2"), root("/a/x/y", "1:8", "1:9", "1:5", "1:2"), true],
    ["neighbours", root("/a", "1:5", "1:2"), root("/ab", "1:6", "1:2"), false],
    ["an inode of another disk", root("/a", "1:5", "1:2"), root("/b", "2:5", "2:2"), false],
  ])("overlap by device and inode, not by name: %s", (_, a, b, overlap) => {
    expect([rootsOverlap(a, b), rootsOverlap(b, a)]).toEqual([overlap, overlap]);
  });

  it("are seen through what stands on several", () => {
    const [one, two] = [root("/a", "1:5"), root("/b", "1:6")];
    const [first, second, neither] = [withRoots(memoryStorage(), [one]), withRoots(memoryStorage(), [two]), memoryStorage()];
    expect(rootsOf(withRootsOf(memoryStorage(), [first, neither, second]))).toEqual([one, two]);
    expect(rootsOf(neither)).toEqual([]);
  });
});
