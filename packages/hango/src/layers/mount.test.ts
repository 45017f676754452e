import { describe, expect, it, vi } from "vitest";
import { withRoots, type DirectoryRoot } from "../contract/roots.ts";
import { defineStorage } from "../contract/define-storage.ts";
import { HangoError } from "../errors.ts";
import type { FileEvent, Storage } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { bytesOf, textAt, allPaths } from "../testing/case.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { mountStorage } from "./mount.ts";
import { readOnlyStorage } from "./read-only.ts";
import { subtreeStorage } from "./subtree.ts";

const put = (storage: Storage, path: string, text = "x"): Promise<unknown> => storage.write(path, bytesOf(text));
const coded = (code: string): unknown => expect.objectContaining({ code });
const root = (realPath: string, id: string, ...above: readonly string[]): DirectoryRoot => ({ realPath, id, above });

describe("mountStorage at creation", () => {
  it.each([
    ["../x", "invalid_path"],
    ["/docs", "invalid_path"],
    ["docs/", "invalid_path"],
    ["a//b", "invalid_path"],
    [".", "invalid_path"],
    [undefined, "invalid_path"],
  ])("refuses the prefix %s", (prefix, code) => {
    expect(() => mountStorage({ mounts: [{ prefix: prefix as string, storage: memoryStorage() }] })).toThrow(coded(code) as Error);
  });

  it("refuses a prefix given twice, no storage, no mounts and misspelled options", () => {
    const storage = memoryStorage();
    for (const mounts of [
      [],
      [
        { prefix: "docs", storage },
        { prefix: "docs", storage: memoryStorage() },
      ],
      [{ prefix: "docs", storage: undefined }],
      [{ prefix: "docs", storage: { list: () => [] } }],
      [{ prefix: "docs", storage, readonly: true }],
      [{ prefix: "docs", storage, readOnly: "yes" }],
      undefined,
    ])
      expect(() => mountStorage({ mounts: mounts as never })).toThrow(coded("invalid_argument") as Error);
  });

  it("refuses directories that overlap, also through subtree, read-only and other mounts, and names both", () => {
    const outer = (): Storage => withRoots(memoryStorage(), [root("/work", "1:2", "1:1")]);
    const inner = (): Storage => withRoots(memoryStorage(), [root("/work/docs", "1:3", "1:2", "1:1")]);
    const other = (): Storage => withRoots(memoryStorage(), [root("/other", "1:9", "1:1")]);
    const wraps: readonly ((storage: Storage) => Storage)[] = [
      (storage) => storage,
      readOnlyStorage,
      (storage) => subtreeStorage(storage, "x"),
      (storage) => mountStorage({ mounts: [{ prefix: "y", storage }] }),
    ];
    for (const wrap of wraps) {
      const mount = (storage: Storage) => () =>
        mountStorage({
          mounts: [
            { prefix: "", storage: outer() },
            { prefix: "docs", storage: wrap(storage), readOnly: true },
          ],
        });
      expect(mount(inner())).toThrow(/\/ \(\/work\) and \/docs \(\/work\/docs\) stand on directories that overlap/);
      expect(mount(outer())).toThrow(coded("invalid_argument") as Error);
      expect(mount(other())).not.toThrow();
    }
  });
});

describe("a mount's owner of a path", () => {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ] as const;
  it.each(orders)("is the longest prefix, in whichever order they are given (%i %i %i)", async (...order) => {
    const [top, a, ab] = [memoryStorage(), memoryStorage(), memoryStorage()];
    const all = [
      { prefix: "", storage: top },
      { prefix: "a", storage: a },
      { prefix: "a/b", storage: ab },
    ] as const;
    const mount = mountStorage({ mounts: order.map((index) => all[index]) });
    for (const path of ["a/b/c.md", "a/bc.md", "ab.md", "a-.md"]) await put(mount, path);
    expect([await allPaths(top), await allPaths(a), await allPaths(ab)]).toEqual([["a-.md", "ab.md"], ["bc.md"], ["c.md"]]);
    expect(await allPaths(mount)).toEqual(["a-.md", "a/b/c.md", "a/bc.md", "ab.md"]);
  });

  it("is none: invalid_path, for a path that no mount owns and for one equal to a prefix", async () => {
    const mount = mountStorage({ mounts: [{ prefix: "docs", storage: memoryStorage() }] });
    for (const path of ["a.md", "docs", "docsy/a.md"]) {
      await expect(mount.read(path)).rejects.toThrow(coded("invalid_path") as Error);
      await expect(put(mount, path)).rejects.toThrow(coded("invalid_path") as Error);
      await expect(mount.delete(path)).rejects.toThrow(coded("invalid_path") as Error);
    }
    await expect(put(mount, "a.md")).rejects.toThrow('Invalid path "/a.md": no storage is mounted there. Use a path below /docs.');
  });

  it("never changes with the spelling of a path: ./docs/a.md slips past no mount", async () => {
    const [top, docs] = [memoryStorage(), memoryStorage()];
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: top },
        { prefix: "docs", storage: docs, readOnly: true },
      ],
    });
    for (const path of ["./docs/a.md", "docs//a.md", "/docs/a.md", "x/../docs/a.md", "docs/./a.md"])
      await expect(put(mount, path), path).rejects.toThrow(coded("invalid_path") as Error);
    expect(await allPaths(top)).toEqual([]);
  });
});

describe("files of an outer mount under an inner prefix", () => {
  async function covered(): Promise<{ readonly top: Storage; readonly mount: Storage }> {
    const top = memoryStorage();
    await put(top, "a/b/secret.md", "needle");
    await put(top, "x", "needle");
    await put(top, "z.md", "needle");
    return {
      top,
      mount: mountStorage({
        mounts: [
          { prefix: "", storage: top },
          { prefix: "a/b", storage: memoryStorage() },
          { prefix: "x/y", storage: memoryStorage() },
        ],
      }),
    };
  }

  it("are hidden from every reading call, and so is a mount without files", async () => {
    const { mount } = await covered();
    expect(await allPaths(mount)).toEqual(["z.md"]);
    expect((await mount.ls("")).map((entry) => (entry.kind === "file" ? entry.info.path : entry.path))).toEqual(["z.md"]);
    for (const path of ["a", "a/b", "a/b/secret.md", "x", "x/y"]) expect(await mount.stat(path), path).toBeUndefined();
    expect([await mount.ls("a"), await mount.ls("a/b")]).toEqual([[], []]);
    await expect(mount.read("a/b/secret.md")).rejects.toThrow(coded("not_found") as Error);
    await expect(mount.lines("a/b/secret.md", { offset: 1, limit: 1, column: 1, maxLineChars: 9 })).rejects.toThrow(coded("not_found") as Error);
    expect(await mount.glob({ pattern: parseGlob("**"), root: "", limit: 9 })).toEqual(["z.md"]);
    expect((await mount.grep({ pattern: parsePattern("needle"), root: "", context: 0, limit: 9 })).map(({ path }) => path)).toEqual(["z.md"]);
    expect(await mount.search?.paths("needle")).toEqual(["z.md"]);
  });

  it("can't be deleted, and a name that leads to a mount is no file to read, write or delete", async () => {
    const { top, mount } = await covered();
    await expect(mount.delete("a/b/secret.md")).rejects.toThrow(coded("not_found") as Error);
    for (const path of ["a", "x"]) {
      await expect(mount.read(path)).rejects.toThrow(coded("not_found") as Error);
      await expect(mount.delete(path)).rejects.toThrow(coded("not_found") as Error);
      await expect(put(mount, path)).rejects.toThrow(coded("not_a_file") as Error);
    }
    await put(mount, "x/y/f.md");
    await expect(mount.read("x")).rejects.toThrow(coded("not_a_file") as Error);
    expect(await allPaths(top)).toEqual(["a/b/secret.md", "x", "z.md"]);
  });
});

describe("a read-only mount", () => {
  it("refuses writes and deletes whatever its storage supports, and names the whole path", async () => {
    const docs = memoryStorage();
    await put(docs, "a.md");
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: memoryStorage() },
        { prefix: "docs", storage: docs, readOnly: true },
      ],
    });
    await expect(put(mount, "docs/a.md")).rejects.toThrow("/docs/a.md can't be changed");
    await expect(put(mount, "docs/new.md")).rejects.toThrow(coded("read_only") as Error);
    await expect(mount.delete("docs/a.md")).rejects.toThrow(coded("read_only") as Error);
    expect(await textAt(mount, "docs/a.md")).toBe("x");
  });
  it("has no apply, also when it is the only one", () => {
    const mounts = [{ prefix: "docs", storage: memoryStorage() }];
    expect(mountStorage({ mounts }).apply).toBeTypeOf("function");
    expect(mountStorage({ mounts: [{ ...mounts[0]!, readOnly: true }] }).apply).toBeUndefined();
  });
});

describe("the limit of a listing, glob, grep or search", () => {
  it("is shared: each storage is asked only for what there is room for, and not at all when there is none", async () => {
    const asked: string[] = [];
    const counting = (name: string, files: readonly string[]): Storage =>
      defineStorage({
        name,
        list: async ({ limit } = {}) => {
          asked.push(`${name} ${limit}`);
          return files.map((path) => ({ path, sizeBytes: 1, contentType: "text/plain", version: "1" }));
        },
        read: () => Promise.reject(new HangoError("not_found", "no")),
        write: () => Promise.reject(new HangoError("read_only", "no")),
        delete: () => Promise.reject(new HangoError("read_only", "no")),
      });
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: counting("top", ["a", "b", "y"]) },
        { prefix: "m", storage: counting("m", ["1", "2"]) },
        { prefix: "z", storage: counting("z", ["1"]) },
      ],
    });
    expect((await mount.list({ limit: 3 })).map(({ path }) => path)).toEqual(["a", "b", "m/1"]);
    expect(asked).toEqual(["top 3", "m 1"]);
  });
});

describe("what the record of a mount keeps", () => {
  function recording(): { readonly storage: Storage; readonly kept: unknown[] } {
    const kept: unknown[] = [];
    const { list, read, write, delete: remove } = memoryStorage();
    const record = async (event: FileEvent, options: unknown): Promise<void> => void kept.push([event.path, options]);
    return { kept, storage: defineStorage({ name: "recording", list, read, write, delete: remove, record }) };
  }
  const event: FileEvent = { action: "file.write", outcome: "denied", path: "docs/a.md" };
  const origin = { actor: "agent", toolCallId: "1" } as const;

  it("is its owner's, with the origin as it came", async () => {
    const [top, docs] = [recording(), recording()];
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: top.storage },
        { prefix: "docs", storage: docs.storage },
      ],
    });
    await mount.record?.(event, { origin });
    expect([top.kept, docs.kept]).toEqual([[], [["a.md", { origin }]]]);
  });
  it("is the surrounding storage's where the owner keeps none", async () => {
    const top = recording();
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: top.storage },
        { prefix: "docs", storage: memoryStorage() },
      ],
    });
    await mount.record?.(event, { origin });
    await mount.record?.({ ...event, path: "docs" }, { origin });
    expect(top.kept).toEqual([
      ["docs/a.md", { origin }],
      ["docs", { origin }],
    ]);
  });
  it("is nothing where no storage keeps any", () => {
    expect(mountStorage({ mounts: [{ prefix: "", storage: memoryStorage() }] }).record).toBeUndefined();
  });
});

describe("closing a mount", () => {
  it("closes each storage once, also one mounted twice, also when one fails", async () => {
    const closing = (close: () => Promise<void>): Storage => {
      const { list, read, write, delete: remove } = memoryStorage();
      return defineStorage({ name: "closing", list, read, write, delete: remove, close });
    };
    const [good, bad] = [vi.fn(async () => undefined), vi.fn(() => Promise.reject(new HangoError("unavailable", "gone")))];
    const twice = closing(good);
    const mount = mountStorage({
      mounts: [
        { prefix: "a", storage: closing(bad) },
        { prefix: "b", storage: twice },
        { prefix: "c", storage: twice },
      ],
    });
    await expect(mount.close?.()).rejects.toThrow("gone");
    await expect(mount.close?.()).rejects.toThrow("gone");
    expect([good.mock.calls.length, bad.mock.calls.length]).toEqual([1, 1]);
  });
});

describe("an error of a mounted storage", () => {
  it("names the path of the whole tree, in its message and its facts", async () => {
    const mount = mountStorage({ mounts: [{ prefix: "docs", storage: memoryStorage() }] });
    await expect(mount.read("docs/a.md")).rejects.toMatchObject({ code: "not_found", path: "/docs/a.md", message: "/docs/a.md does not exist." });
    await put(mount, "docs/a");
    await expect(put(mount, "docs/a/b")).rejects.toThrow("/docs/a is a file, so /docs/a/b can't be below it.");
    await expect(mount.write("docs/a", bytesOf("y"), { ifVersion: "absent" })).rejects.toMatchObject({
      code: "already_exists",
      details: { currentVersion: expect.any(String) },
    });
    await expect(
      mount.apply?.([
        { kind: "create", path: "docs/a", bytes: bytesOf("y") },
        { kind: "delete", path: "docs/b" },
      ]),
    ).rejects.toMatchObject({
      code: "conflict",
      details: { paths: ["/docs/a", "/docs/b"] },
      message: expect.stringContaining("/docs/a, /docs/b changed"),
    });
  });
});
