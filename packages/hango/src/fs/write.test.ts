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

describe("write", () => {
  it("refuses NUL, lone surrogates and what is not text, before anything is stored", async () => {
    for (const text of ["a\0b", "\ud800", 7, undefined]) await expect(fs.write("/n.txt", text as string)).rejects.toMatchObject(coded("invalid_content"));
    expect(await storage.list()).toEqual([]);
  });

  it("takes maxFileBytes and refuses one more, in bytes of UTF-8", async () => {
    const small = createFileSystem(storage, { limits: { maxFileBytes: 6 } });
    await small.write("/a", "éé1");
    await small.write("/a", "ééé");
    await expect(small.write("/a", "ééé1")).rejects.toMatchObject({ code: "too_large", details: { sizeBytes: 7, maxBytes: 6 } });
    expect(await textOf("a")).toBe("ééé");
  });

  it("passes ifVersion and content type on, and refuses the root", async () => {
    const first = await fs.write("/f", "1", { contentType: "text/x-own", ifVersion: "absent" });
    expect(first).toMatchObject({ name: "f", path: "/f", kind: "file", sizeBytes: 1, contentType: "text/x-own" });
    await expect(fs.write("/f", "2", { ifVersion: "absent" })).rejects.toMatchObject(coded("already_exists"));
    await fs.write("/f", "2", { ifVersion: first.version as string });
    await expect(fs.write("/f", "3", { ifVersion: first.version as string })).rejects.toMatchObject(
      coded("conflict", /changed since you read it; re-read and retry/),
    );
    await expect(fs.write("/f/child", "x")).rejects.toMatchObject(coded("not_a_directory"));
    await expect(fs.write("/", "x")).rejects.toMatchObject(coded("not_a_file"));
  });
});
