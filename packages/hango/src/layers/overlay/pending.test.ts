import { describe, expect, it } from "vitest";
import { isShown } from "../../path/filter.ts";
import { createPending, foldPath, type HeldFile } from "./pending.ts";

const pin = { version: "v1", sizeBytes: 1 };
const file = (path: string, sizeBytes = 1): HeldFile => ({
  kind: "file",
  path,
  bytes: new Uint8Array(sizeBytes),
  info: { path, sizeBytes, contentType: "text/plain", version: "own" },
});

describe("createPending", () => {
  it("counts the bytes of the files it holds, and no others", () => {
    const pending = createPending();
    pending.set(file("a", 5));
    pending.set(file("b", 3));
    pending.set(file("a", 2));
    expect([pending.bytes(), pending.count()]).toEqual([5, 2]);
    pending.set({ kind: "delete", path: "b", pin });
    pending.drop("a");
    pending.drop("a");
    expect([pending.bytes(), pending.count()]).toEqual([0, 1]);
  });

  it("lists as list does: prefix, after, limit and filters, in byte order", () => {
    const pending = createPending(["a", "a.txt", "a/b", "a/c", "\uff61", "\u{1F600}"].map((path) => file(path)));
    pending.set({ kind: "delete", path: "b", pin });
    const list = (...given: Parameters<typeof pending.list>): readonly string[] => pending.list(...given).map(({ path }) => path);
    expect(list()).toEqual(["a", "a.txt", "a/b", "a/c", "\uff61", "\u{1F600}"]);
    expect(list({ prefix: "a" })).toEqual(["a", "a/b", "a/c"]);
    expect(list({ prefix: "a", after: "a/b" })).toEqual(["a/c"]);
    expect(list({ after: "a.txt", limit: 2, filters: [{ hide: ["a/b"], show: [] }] })).toEqual(["a/c", "\uff61"]);
  });

  it("hides every path it holds from the base, below a prefix only those there", () => {
    const pending = createPending(Array.from({ length: 100 }, (_, index) => file(`d/f${index}`)));
    pending.set({ kind: "delete", path: "gone", pin });
    expect(createPending().hidden("")).toEqual([]);
    for (const [path, all, below] of [
      ["d/f7", false, false],
      ["gone", false, true],
      ["d/f", true, true],
      ["d/f7/x", true, true],
    ] as const)
      expect([isShown(path, pending.hidden("")), isShown(path, pending.hidden("d"))], path).toEqual([all, below]);
    pending.drop("gone");
    expect(isShown("gone", pending.hidden(""))).toBe(true);
  });

  it("knows the deletes that another spelling might be", () => {
    const pending = createPending();
    pending.set({ kind: "delete", path: "Docs/Readme.md", pin });
    expect(["docs/README.md", "Docs/Readme.md", "docs/README.txt"].map(pending.hasDeletedTwin)).toEqual([true, false, false]);
    const copy = pending.copy();
    pending.drop("Docs/Readme.md");
    expect([pending.hasDeletedTwin("docs/README.md"), copy.hasDeletedTwin("docs/README.md")]).toEqual([false, true]);
    expect(foldPath("e\u0301ſ\u212a")).toBe(foldPath("ÉsK"));
  });
});
