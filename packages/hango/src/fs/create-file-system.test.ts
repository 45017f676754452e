import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorCode } from "../errors.ts";
import type { FileSystem } from "../filesystem.ts";
import type { Storage } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { decodeText } from "../text/utf8.ts";
import { createFileSystem } from "./create-file-system.ts";

let storage: Storage;
let fs: FileSystem;
beforeEach(() => {
  storage = memoryStorage();
  fs = createFileSystem(storage);
});

const coded = (code: ErrorCode, message?: RegExp) => (message === undefined ? { code } : { code, message: expect.stringMatching(message) });
const textOf = async (path: string): Promise<string | undefined> => decodeText((await storage.read(path)).bytes);

describe("createFileSystem", () => {
  it("refuses what defineStorage did not make", () => {
    expect(() => createFileSystem({ name: "raw", list: async () => [] } as never)).toThrow(expect.objectContaining(coded("invalid_argument", /defineStorage/)));
  });

  it("refuses limits out of range", () => {
    for (const limits of [{ maxMatches: 0 }, { maxPathDepth: 33 }, { maxFileBytes: 1.5 }])
      expect(() => createFileSystem(storage, { limits })).toThrow(expect.objectContaining(coded("invalid_argument")));
  });

  it("normalises agent paths and refuses what leaves the root, at every operation", async () => {
    await fs.write("//docs/./a.md", "x");
    expect((await fs.stat("/docs//a.md/")).path).toBe("/docs/a.md");
    const calls = [
      () => fs.ls("/../x"),
      () => fs.stat("/../x"),
      () => fs.read("/../x"),
      () => fs.write("/../x", ""),
      () => fs.edit("/../x", "a", "b"),
      () => fs.glob("*", { root: "/../x" }),
      () => fs.grep("x", { path: "/../x" }),
      () => fs.delete("/../x"),
      () => fs.read("docs/a.md"),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(coded("invalid_path"));
  });

  it("takes a lower depth of paths", async () => {
    const shallow = createFileSystem(storage, { limits: { maxPathDepth: 2 } });
    await shallow.write("/a/b", "x");
    await expect(shallow.write("/a/c/d", "x")).rejects.toMatchObject(coded("invalid_path"));
  });

  it("rethrows the reason of an abort at every operation", async () => {
    await fs.write("/a", "x");
    const signal = AbortSignal.abort(new Error("stop"));
    const calls = [
      () => fs.ls("/", { signal }),
      () => fs.stat("/a", { signal }),
      () => fs.read("/a", { signal }),
      () => fs.write("/a", "", { signal }),
      () => fs.edit("/a", "x", "y", { signal }),
      () => fs.glob("*", { signal }),
      () => fs.grep("x", { signal }),
      () => fs.delete("/a", { signal }),
      () => fs.delete("/", { signal, recursive: true }),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(/^stop$/);
    expect(await textOf("a")).toBe("x");
  });
});
