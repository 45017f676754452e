import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../errors.ts";
import type { FileInfo } from "../storage.ts";
import { decodeText, encodeUtf8 } from "../text/utf8.ts";
import { memoryStorage } from "./memory.ts";

const coded = (code: ErrorCode, path?: string) => (path === undefined ? { code } : { code, path });
const pathsOf = (infos: readonly FileInfo[]): string[] => infos.map(({ path }) => path);
const bytes = encodeUtf8("x");

describe("memoryStorage", () => {
  it("keeps what was written, and answers copies", async () => {
    const storage = memoryStorage();
    const info = await storage.write("docs/a.md", encodeUtf8("é\n"));
    expect(info).toMatchObject({ path: "docs/a.md", sizeBytes: 3, contentType: "text/markdown", createdAt: expect.any(Date), updatedAt: expect.any(Date) });
    Object.assign(info, { sizeBytes: 99 });
    const data = await storage.read("docs/a.md");
    expect(data.info.sizeBytes).toBe(3);
    data.bytes.fill(0);
    expect(decodeText((await storage.read("docs/a.md")).bytes)).toBe("é\n");
  });

  it("refuses a file and a directory of one name, both ways round", async () => {
    const storage = memoryStorage();
    await storage.write("a/b/c", bytes);
    for (const path of ["a", "a/b"]) {
      await expect(storage.write(path, bytes)).rejects.toMatchObject(coded("not_a_file", `/${path}`));
      await expect(storage.write(path, bytes, { ifVersion: "absent" })).rejects.toMatchObject(coded("not_a_file"));
      await expect(storage.read(path)).rejects.toMatchObject(coded("not_a_file"));
      await expect(storage.delete(path)).rejects.toMatchObject(coded("not_a_file"));
    }
    await expect(storage.write("a/b/c/d/e", bytes)).rejects.toMatchObject({
      code: "not_a_directory",
      path: "/a/b/c/d/e",
      message: expect.stringContaining("/a/b/c is a file"),
    });
    await expect(storage.read("a/b/c/d")).rejects.toMatchObject(coded("not_found"));
    await expect(storage.read("a/b/x")).rejects.toMatchObject({ code: "not_found", message: "/a/b/x does not exist." });
    await storage.write("a/b.txt", bytes);
    await storage.delete("a/b/c");
    await storage.write("a/b", bytes);
  });

  it("honours ifVersion, and never gives a file made again a token of the one before", async () => {
    const storage = memoryStorage();
    await expect(storage.write("f", bytes, { ifVersion: "v1" })).rejects.toMatchObject({ code: "conflict", details: {} });
    const first = await storage.write("f", bytes, { ifVersion: "absent" });
    await expect(storage.write("f", bytes, { ifVersion: "absent" })).rejects.toMatchObject({
      code: "already_exists",
      details: { currentVersion: first.version },
    });
    const second = await storage.write("f", bytes, { ifVersion: first.version });
    await expect(storage.write("f", bytes, { ifVersion: first.version })).rejects.toMatchObject({
      code: "conflict",
      details: { currentVersion: second.version },
    });
    await expect(storage.delete("f", { ifVersion: first.version })).rejects.toMatchObject(coded("conflict"));
    await storage.delete("f", { ifVersion: second.version });
    await expect(storage.delete("f", { ifVersion: second.version })).rejects.toMatchObject(coded("conflict"));
    await expect(storage.delete("f")).rejects.toMatchObject(coded("not_found"));
    const again = await storage.write("f", bytes);
    const tokens = [first.version, second.version, again.version, (await storage.write("f", bytes)).version];
    expect(new Set(tokens).size).toBe(4);
  });

  it("gives one winner when two write over the same version", async () => {
    const storage = memoryStorage();
    const { version } = await storage.write("f", bytes);
    const results = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => storage.write("f", encodeUtf8(`${index}`), { ifVersion: version })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("keeps the content type of the file written over, unless another is given", async () => {
    const storage = memoryStorage();
    expect((await storage.write("a.md", bytes, { contentType: "text/x-own" })).contentType).toBe("text/x-own");
    expect((await storage.write("a.md", bytes)).contentType).toBe("text/x-own");
    expect((await storage.write("noext", bytes)).contentType).toBe("text/plain");
    expect((await storage.write("bin", new Uint8Array([0]))).contentType).toBe("application/octet-stream");
  });

  it("lists a prefix and what is below it, in UTF-8 byte order, page by page", async () => {
    const storage = memoryStorage();
    const paths = ["a", "a.txt", "b/c", "b/d/e", "b0", "\uff61.txt", "😀.txt"];
    for (const path of paths.toReversed()) await storage.write(path, bytes);
    expect(pathsOf(await storage.list())).toEqual(paths);
    expect(pathsOf(await storage.list({ prefix: "a" }))).toEqual(["a"]);
    expect(pathsOf(await storage.list({ prefix: "b" }))).toEqual(["b/c", "b/d/e"]);
    expect(pathsOf(await storage.list({ prefix: "b", after: "b/c" }))).toEqual(["b/d/e"]);
    expect(pathsOf(await storage.list({ prefix: "b", after: "b0" }))).toEqual([]);
    expect(pathsOf(await storage.list({ prefix: "b", after: "a" }))).toEqual(["b/c", "b/d/e"]);
    expect(pathsOf(await storage.list({ limit: 2, filters: [{ hide: ["b/"], show: ["b/d/"] }], after: "a.txt" }))).toEqual(["b/d/e", "b0"]);
  });

  describe("apply", () => {
    it("does all of it and answers infos in the order given", async () => {
      const storage = memoryStorage();
      const a = await storage.write("a", bytes);
      await storage.write("dir/x", bytes);
      const infos = await storage.apply?.([
        { kind: "create", path: "z", bytes: encodeUtf8("zz") },
        { kind: "delete", path: "dir/x" },
        { kind: "modify", path: "a", bytes: encodeUtf8("aaa"), ifVersion: a.version },
        { kind: "create", path: "dir", bytes },
      ]);
      expect(infos?.map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
        ["z", 2],
        ["a", 3],
        ["dir", 1],
      ]);
      expect(pathsOf(await storage.list())).toEqual(["a", "dir", "z"]);
    });

    it("does nothing when anything is stale, and names every such path", async () => {
      const storage = memoryStorage();
      const a = await storage.write("a", bytes);
      await storage.write("b", bytes);
      const before = await storage.list();
      const good = { kind: "modify", path: "a", bytes: encodeUtf8("new"), ifVersion: a.version } as const;
      await expect(storage.apply?.([good, { kind: "create", path: "b", bytes }])).rejects.toMatchObject({ code: "already_exists", details: { paths: ["/b"] } });
      await expect(
        storage.apply?.([good, { kind: "create", path: "b", bytes }, { kind: "delete", path: "gone" }, { kind: "modify", path: "m", bytes }]),
      ).rejects.toMatchObject({ code: "conflict", message: expect.stringMatching(/\/b.*\/gone.*\/m/), details: { paths: ["/b", "/gone", "/m"] } });
      await expect(storage.apply?.([good, { kind: "delete", path: "b", ifVersion: a.version }])).rejects.toMatchObject(coded("conflict"));
      await expect(storage.apply?.([good, { kind: "create", path: "b/c", bytes }])).rejects.toMatchObject(coded("not_a_directory"));
      await storage.write("d/e", bytes);
      await expect(storage.apply?.([good, { kind: "create", path: "d", bytes }])).rejects.toMatchObject(coded("not_a_file"));
      await storage.delete("d/e");
      expect(await storage.list()).toEqual(before);
    });
  });

  it("searches text without case, in byte order, and skips binary", async () => {
    const storage = memoryStorage();
    await storage.write("b.md", encodeUtf8("no MILK today"));
    await storage.write("a.md", encodeUtf8("milk"));
    await storage.write("hidden/a.md", encodeUtf8("milk"));
    await storage.write("c.bin", new Uint8Array([109, 105, 108, 107, 0]));
    expect(await storage.search?.paths("mILk", { filters: [{ hide: ["hidden/"], show: [] }] })).toEqual(["a.md", "b.md"]);
    expect(await storage.search?.paths("milk", { limit: 1 })).toEqual(["a.md"]);
    expect(await storage.search?.paths("milk", { prefix: "hidden" })).toEqual(["hidden/a.md"]);
  });

  it("holds 50,000 files and reads a page of them without reading all", async () => {
    const storage = memoryStorage();
    await storage.apply?.(Array.from({ length: 50_000 }, (_, index) => ({ kind: "create", path: `d${index % 100}/f${index}`, bytes }) as const));
    expect(await storage.list({ prefix: "d7", limit: 3 })).toHaveLength(3);
    expect(await storage.ls("")).toHaveLength(100);
    await expect(storage.write("d7", bytes)).rejects.toMatchObject(coded("not_a_file"));
  });
});
