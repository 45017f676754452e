import { beforeEach, describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import { type ErrorCode, HangoError } from "../errors.ts";
import type { FileSystem } from "../filesystem.ts";
import { faultyStorage } from "../layers/faulty.ts";
import type { Storage } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { createFileSystem } from "./create-file-system.ts";

let storage: Storage;
let fs: FileSystem;
beforeEach(() => {
  storage = memoryStorage();
  fs = createFileSystem(storage);
});

const coded = (code: ErrorCode, message?: RegExp) => (message === undefined ? { code } : { code, message: expect.stringMatching(message) });
/** The same storage without `apply`, as a directory on disk is. */
const withoutApply = (inner: Storage): Storage =>
  defineStorage({ name: "plain", list: inner.list, read: inner.read, write: inner.write, delete: inner.delete });

describe("delete", () => {
  it("deletes a file, over the version given", async () => {
    const { version } = await fs.write("/f", "1");
    await fs.write("/f", "2");
    await expect(fs.delete("/f", { ifVersion: version as string })).rejects.toMatchObject(coded("conflict"));
    await fs.delete("/f");
    await expect(fs.delete("/f")).rejects.toMatchObject(coded("not_found"));
    await expect(fs.delete("/f", { recursive: true })).rejects.toMatchObject(coded("not_found"));
  });

  it("deletes a directory only when told to, and never a sibling", async () => {
    for (const path of ["/my_project/a", "/my_project/b/c", "/myXproject/b", "/my_project.bak", "/my_project0"]) await fs.write(path, "x");
    await expect(fs.delete("/my_project")).rejects.toMatchObject(coded("not_a_file", /recursive/));
    await expect(fs.delete("/")).rejects.toMatchObject(coded("not_a_file", /recursive/));
    await expect(fs.delete("/my_project", { recursive: true, ifVersion: "v1" })).rejects.toMatchObject(coded("invalid_argument"));
    await fs.delete("/my_project", { recursive: true });
    expect((await storage.list()).map(({ path }) => path)).toEqual(["myXproject/b", "my_project.bak", "my_project0"]);
    await fs.delete("/my_project.bak", { recursive: true });
    await fs.delete("/", { recursive: true });
    expect(await storage.list()).toEqual([]);
    await fs.delete("/", { recursive: true });
  });

  it("takes 50,000 files below a directory and refuses one more, deleting none", async () => {
    const bytes = encodeUtf8("");
    const create = (path: string) => ({ kind: "create", path, bytes }) as const;
    await storage.apply?.(Array.from({ length: 50_000 }, (_, index) => create(`d/${index}`)));
    await storage.write("d/one more", bytes);
    await expect(fs.delete("/d", { recursive: true })).rejects.toMatchObject({ code: "too_large", path: "/d", details: { maxFiles: 50_000 } });
    await fs.delete("/d/one more");
    await fs.delete("/d", { recursive: true });
    expect(await storage.list()).toEqual([]);
  });

  it("goes as a whole where the storage has apply", async () => {
    for (const path of ["/d/a", "/d/b", "/d/c"]) await fs.write(path, "x");
    const failing = createFileSystem(faultyStorage(storage, { on: "apply", call: 1 }));
    await expect(failing.delete("/d", { recursive: true })).rejects.toMatchObject(coded("unavailable"));
    expect(await storage.list()).toHaveLength(3);
  });

  it("stops at the first failure elsewhere, and names it and how far it came", async () => {
    for (const path of ["/d/a", "/d/b", "/d/c"]) await fs.write(path, "x");
    const failing = createFileSystem(withoutApply(faultyStorage(storage, { on: "delete", call: 2 })));
    const stopped = coded("unavailable", /Deleted 1 of 3 files below \/d, then stopped at \/d\/b/);
    await expect(failing.delete("/d", { recursive: true })).rejects.toMatchObject({ ...stopped, path: "/d/b", details: { deleted: 1 } });
    expect((await storage.list()).map(({ path }) => path)).toEqual(["d/b", "d/c"]);
    await createFileSystem(withoutApply(storage)).delete("/d", { recursive: true });
    expect(await storage.list()).toEqual([]);
  });

  it("loses no edit that comes between: without a version, file by file, both were acknowledged", async () => {
    for (const path of ["/d/a", "/d/b", "/d/c"]) await fs.write(path, "x");
    const raced = defineStorage({
      ...withoutApply(storage),
      list: async (options) => {
        const page = await storage.list(options);
        await storage.write("d/b", encodeUtf8("edited"));
        return page;
      },
    });
    const stopped = coded("conflict", /Deleted 1 of 3 files below \/d, then stopped at \/d\/b/);
    await expect(createFileSystem(raced).delete("/d", { recursive: true })).rejects.toMatchObject({ ...stopped, path: "/d/b" });
    expect((await fs.read("/d/b")).lines[0]?.text).toBe("edited");
  });

  it("deletes a tree of a storage that knows no versions", async () => {
    for (const path of ["/d/a", "/d/b"]) await fs.write(path, "x");
    const unversioned = defineStorage({
      ...withoutApply(storage),
      delete: async (path, options) => {
        if (options?.ifVersion !== undefined) throw new HangoError("unsupported", "no versions here");
        await storage.delete(path);
      },
    });
    await createFileSystem(unversioned).delete("/d", { recursive: true });
    expect(await storage.list()).toEqual([]);
  });

  it("takes a file that is gone already for deleted", async () => {
    for (const path of ["/d/a", "/d/b"]) await fs.write(path, "x");
    const racing = defineStorage({
      name: "racing",
      list: storage.list,
      read: storage.read,
      write: storage.write,
      delete: async (path, options) => {
        await storage.delete(path);
        // not_found for the one, conflict for the other.
        await storage.delete(path, path === "d/a" ? {} : options);
      },
    });
    await createFileSystem(racing).delete("/d", { recursive: true });
    expect(await storage.list()).toEqual([]);
  });
});
