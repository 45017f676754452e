import { describe, expect, it } from "vitest";
import { memoryStorage } from "../storages/memory.ts";
import { allPaths, bytesOf, put, textAt } from "../testing/case.ts";
import { readOnlyStorage } from "./read-only.ts";
import { subtreeStorage } from "./subtree.ts";

describe("subtreeStorage", () => {
  it("shows what is below a directory without its name, and writes there", async () => {
    const inner = memoryStorage();
    await put(inner, "docs/a.md", "a");
    await put(inner, "docsy.md", "no");
    const docs = subtreeStorage(inner, "docs");
    await put(docs, "b/c.md", "c");
    expect([await allPaths(docs), await allPaths(inner)]).toEqual([
      ["a.md", "b/c.md"],
      ["docs/a.md", "docs/b/c.md", "docsy.md"],
    ]);
  });

  it("has nothing where the directory's name is a file", async () => {
    const inner = memoryStorage();
    await put(inner, "docs", "a file");
    const docs = subtreeStorage(inner, "docs");
    expect([await allPaths(docs), await docs.ls(""), await docs.search?.paths("file")]).toEqual([[], [], []]);
    await expect(put(docs, "a", "x")).rejects.toMatchObject({ code: "not_a_directory", path: "/a" });
  });

  it("forwards apply, all or nothing, with its own paths in and out", async () => {
    const inner = memoryStorage();
    const docs = subtreeStorage(inner, "d");
    await put(docs, "old", "1");
    expect((await docs.apply?.([{ kind: "create", path: "a", bytes: bytesOf("x") }]))?.map(({ path }) => path)).toEqual(["a"]);
    const stale = docs.apply?.([
      { kind: "delete", path: "old" },
      { kind: "create", path: "a", bytes: bytesOf("y") },
    ]);
    await expect(stale).rejects.toMatchObject({
      code: "already_exists",
      path: "/a",
      message: "Nothing was applied: /a already exist. Re-read them and retry.",
    });
    expect(await textAt(inner, "d/old")).toBe("1");
  });

  it("refuses a prefix that is no path, and a path with no room below it", async () => {
    for (const prefix of ["/docs", "docs/", "..", undefined as never]) expect(() => subtreeStorage(memoryStorage(), prefix)).toThrow(/Invalid path/);
    const long = ["a".repeat(250), "b".repeat(250), "c".repeat(10)].join("/");
    const docs = subtreeStorage(memoryStorage(), "documents");
    await expect(put(docs, long, "x")).rejects.toMatchObject({
      code: "invalid_path",
      path: `/${long}`,
      message: expect.stringContaining("for the place this storage has"),
    });
  });

  it("takes a cursor as long as any, however long its own prefix is", async () => {
    const directory = `${"p".repeat(200)}/${"q".repeat(200)}`;
    const inner = memoryStorage();
    const part = subtreeStorage(inner, directory);
    for (const path of ["a", "\u{10ffff}".repeat(20)]) await put(part, path, "x");
    expect((await part.list({ after: "\u{10ffff}".repeat(512) })).length).toBe(0);
    expect((await part.list({ after: "\u{10fffe}".repeat(512) })).length).toBe(1);
  });
});

describe("readOnlyStorage", () => {
  it("shows everything and refuses each change, with what to do next", async () => {
    const inner = memoryStorage();
    await put(inner, "a.md", "a");
    const locked = readOnlyStorage(inner);
    expect(await textAt(locked, "a.md")).toBe("a");
    await expect(put(locked, "b.md", "b")).rejects.toMatchObject({
      code: "read_only",
      path: "/b.md",
      message: "/b.md can't be changed: what stands there is read-only. Write to another place.",
    });
    await expect(locked.delete("a.md")).rejects.toMatchObject({ code: "read_only" });
    expect([locked.apply, locked.search]).toEqual([undefined, expect.anything()]);
  });
});
