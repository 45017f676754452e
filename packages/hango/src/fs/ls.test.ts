import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorCode } from "../errors.ts";
import type { FileSystem } from "../filesystem.ts";
import type { Storage } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { createFileSystem } from "./create-file-system.ts";

let storage: Storage;
let fs: FileSystem;
beforeEach(() => {
  storage = memoryStorage();
  fs = createFileSystem(storage);
});

const coded = (code: ErrorCode, message?: RegExp) => (message === undefined ? { code } : { code, message: expect.stringMatching(message) });

describe("ls and stat", () => {
  it("shows names, paths and kinds in byte order, a directory counted with its slash", async () => {
    for (const path of ["/a-", "/a.txt", "/a/x", "/a0", "/\uff61", "/😀", "/__proto__"]) await fs.write(path, "x");
    expect((await fs.ls("/")).map(({ name, kind }) => [name, kind])).toEqual([
      ["__proto__", "file"],
      ["a-", "file"],
      ["a.txt", "file"],
      ["a", "directory"],
      ["a0", "file"],
      ["\uff61", "file"],
      ["😀", "file"],
    ]);
    expect((await fs.ls("/", { after: "a.txt", limit: 2 })).map(({ path }) => path)).toEqual(["/a", "/a0"]);
    expect((await fs.ls("/", { after: "a/", limit: 1 })).map(({ path }) => path)).toEqual(["/a0"]);
    expect(await fs.ls("/a", { after: "x" })).toEqual([]);
    expect(await fs.stat("/a/x")).toEqual({
      name: "x",
      path: "/a/x",
      kind: "file",
      sizeBytes: 1,
      contentType: "text/plain",
      version: expect.any(String),
      updatedAt: expect.any(Date),
    });
    expect(await fs.stat("/a")).toEqual({ name: "a", path: "/a", kind: "directory" });
    expect(await fs.stat("/")).toEqual({ name: "/", path: "/", kind: "directory" });
  });

  it("knows the root of an empty tree, and tells a file and nothing apart", async () => {
    expect(await fs.ls("/")).toEqual([]);
    await fs.write("/f", "x");
    await expect(fs.ls("/f")).rejects.toMatchObject(coded("not_a_directory"));
    await expect(fs.ls("/g")).rejects.toMatchObject({ code: "not_found", path: "/g", message: "/g does not exist." });
    await expect(fs.stat("/f/g")).rejects.toMatchObject(coded("not_found"));
    for (const limit of [0, -1, 1.5]) await expect(fs.ls("/", { limit })).rejects.toMatchObject(coded("invalid_argument"));
  });
});
