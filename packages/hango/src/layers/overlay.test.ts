import { describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { FilePath } from "../storage.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { get, pathsIn, plain, put, tree } from "../../../../test/overlay/trees.ts";
import { createOverlay } from "./overlay.ts";
import { changesOf } from "./overlay/changes.ts";
import { prepareWrite } from "./overlay/mutate.ts";
import { createPending } from "./overlay/pending.ts";

describe("an overlay's view", () => {
  it("falls through to the base on reads, and keeps writes and deletes in memory until commit", async () => {
    const base = await tree({ a: "base a", b: "base b" });
    const { storage, commit } = createOverlay({ base });
    expect(await get(storage, "a")).toBe("base a");
    await put(storage, "a", "draft");
    await storage.delete("b");
    await put(storage, "c", "new");
    expect([await get(storage, "a"), await pathsIn(storage)]).toEqual(["draft", ["a", "c"]]);
    await expect(storage.read("b")).rejects.toMatchObject({ code: "not_found" });
    expect([await get(base, "a"), await pathsIn(base)]).toEqual(["base a", ["a", "b"]]);
    expect((await commit()).map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
      ["a", 5],
      ["c", 3],
    ]);
    expect([await get(base, "a"), await pathsIn(base), await pathsIn(storage)]).toEqual(["draft", ["a", "c"], ["a", "c"]]);
  });

  it("asks the base anew after each change: once asked, it listed a directory that holds nothing any more, and ended a page too early", async () => {
    const { storage } = createOverlay({ base: await tree({ a: "1", b: "2", c: "3", "d/x": "4", e: "5" }) });
    await storage.delete("a");
    expect(await pathsIn(storage)).toEqual(["b", "c", "d/x", "e"]);
    await storage.delete("b");
    await storage.delete("d/x");
    expect((await storage.ls("")).map((entry) => (entry.kind === "file" ? entry.info.path : `${entry.path}/`))).toEqual(["c", "e"]);
    expect((await storage.list({ limit: 2 })).map(({ path }) => path)).toEqual(["c", "e"]);
    expect(await storage.stat("d")).toBeUndefined();
  });

  it("gives whole pages while files are deleted: a page was short by each, and a reader took it for the last one", async () => {
    const inner = await tree({ a: "1", b: "2", c: "3", d: "4" });
    const { promise: deleted, resolve: open } = Promise.withResolvers<void>();
    const base = defineStorage({
      name: "slow",
      stat: (path, options) => inner.stat(path, options),
      list: async (options) => {
        const infos = await inner.list(options);
        await deleted;
        return infos;
      },
      read: (path, options) => inner.read(path, options),
      write: (path, bytes, options) => inner.write(path, bytes, options),
      delete: (path, options) => inner.delete(path, options),
    });
    const { storage } = createOverlay({ base });
    const listing = storage.list({ limit: 2 });
    await storage.delete("a");
    open();
    expect((await listing).length).toBe(2);
    expect(await pathsIn(storage)).toEqual(["b", "c", "d"]);
  });

  it("gives held files tokens of their own and untouched ones the base's", async () => {
    const base = await tree({ a: "1", b: "2" });
    const { storage } = createOverlay({ base });
    const before = (await base.read("a")).info;
    const first = await storage.write("a", encodeUtf8("x"), { ifVersion: before.version });
    expect(first.version).not.toBe(before.version);
    await expect(storage.write("a", encodeUtf8("y"), { ifVersion: before.version })).rejects.toMatchObject({
      code: "conflict",
      details: { currentVersion: first.version },
    });
    await expect(storage.write("a", encodeUtf8("y"), { ifVersion: "absent" })).rejects.toMatchObject({ code: "already_exists" });
    const second = await storage.write("a", encodeUtf8("x"), { ifVersion: first.version });
    expect(second.version).not.toBe(first.version);
    expect((await storage.read("b")).info.version).toBe((await base.read("b")).info.version);
  });

  it("keeps the base's content type, and forgets it when the file was deleted in between", async () => {
    const base = memoryStorage();
    await base.write("a", encodeUtf8("1"), { contentType: "text/x-own" });
    const { storage, commit } = createOverlay({ base });
    expect(await storage.write("a", encodeUtf8("2"))).toMatchObject({ contentType: "text/x-own" });
    await storage.delete("a");
    expect(await storage.write("a", encodeUtf8("3"))).toMatchObject({ contentType: "text/plain" });
    await commit();
    expect((await base.read("a")).info.contentType).toBe("text/plain");
  });

  it("keeps a file and a directory from sharing a name, and frees a name whose files are deleted", async () => {
    const { storage, commit } = createOverlay({ base: await tree({ "d/x": "1", "d/y": "2", f: "3" }) });
    await expect(put(storage, "d", "x")).rejects.toMatchObject({ code: "not_a_file" });
    await expect(put(storage, "f/g", "x")).rejects.toMatchObject({ code: "not_a_directory" });
    await storage.delete("d/x");
    await expect(put(storage, "d", "x")).rejects.toMatchObject({ code: "not_a_file" });
    await storage.delete("d/y");
    expect(await storage.stat("d")).toBeUndefined();
    await expect(storage.read("d")).rejects.toMatchObject({ code: "not_found" });
    await put(storage, "d", "a file now");
    await storage.delete("f");
    await put(storage, "f/g/h", "a directory now");
    await expect(storage.read("f")).rejects.toMatchObject({ code: "not_a_file" });
    expect(await storage.ls("")).toMatchObject([
      { kind: "file", info: { path: "d" } },
      { kind: "directory", path: "f" },
    ]);
    await commit();
    expect(await pathsIn(storage)).toEqual(["d", "f/g/h"]);
  });

  it("asks the base for no more than was asked, and caps exactly", async () => {
    const asked: (number | undefined)[] = [];
    const inner = memoryStorage();
    for (let index = 0; index < 50; index++) await put(inner, `f${String(index).padStart(2, "0")}`, "hit");
    const base = defineStorage({
      name: "asked",
      list: (options) => inner.list(options),
      read: (path, options) => inner.read(path, options),
      write: (path, bytes, options) => inner.write(path, bytes, options),
      delete: (path, options) => inner.delete(path, options),
      glob: async (query) => {
        asked.push(query.limit);
        return inner.glob(query);
      },
      grep: async (query) => {
        asked.push(query.limit);
        return inner.grep(query);
      },
    });
    const { storage } = createOverlay({ base });
    for (const index of [0, 1, 3]) await storage.delete(`f0${index}`);
    await put(storage, "f02", "no");
    await put(storage, "f04a", "hit");
    const paths = ["f04", "f04a", "f05"];
    expect((await storage.grep({ pattern: parsePattern("hit"), root: "", context: 0, limit: 3 })).map(({ path }) => path)).toEqual(paths);
    expect(await storage.glob({ pattern: parseGlob("f0[4-9]*"), root: "", limit: 3 })).toEqual([]);
    expect(await storage.glob({ pattern: parseGlob("f*"), root: "", limit: 4 })).toEqual(["f02", ...paths]);
    expect((await storage.list({ after: "f02", limit: 3 })).map(({ path }) => path)).toEqual(paths);
    expect(asked).toEqual([3, 3, 4]);
  });

  it("is searchable over any base, by substring over the merged view, with one base read a file not held; the base's own search is not used", async () => {
    const reads: string[] = [];
    const inner = await tree({ a: "Penguins", b: "penguins", c: "penguins", d: "other" });
    const base = defineStorage({
      name: "counting",
      list: (options) => inner.list(options),
      read: async (path, options) => {
        reads.push(path);
        return inner.read(path, options);
      },
      write: (path, bytes, options) => inner.write(path, bytes, options),
      delete: (path, options) => inner.delete(path, options),
      search: {
        syntax: "never",
        paths: () => Promise.reject(new Error("the base's own search was used")),
      },
    });
    const { storage } = createOverlay({ base });
    await storage.delete("b");
    await put(storage, "c", "no birds");
    await put(storage, "e", "PENGUINS");
    reads.length = 0;
    expect(await storage.search?.paths("penguin")).toEqual(["a", "e"]);
    expect(reads).toEqual(["a", "d"]);
    expect(createOverlay({ base: plain(inner) }).storage.search?.syntax).toMatch(/substring/);
  });

  it("shows no writer's buffer and gives none away", async () => {
    const { storage, changes } = createOverlay({ base: memoryStorage() });
    const bytes = encodeUtf8("text");
    await storage.write("a", bytes);
    bytes.fill(0);
    (await storage.read("a")).bytes.fill(0);
    const [change] = await changes();
    if (change?.kind === "create") change.bytes.fill(0);
    expect(await get(storage, "a")).toBe("text");
  });

  it("takes only what defineStorage made, and no option that it does not have", () => {
    expect(() => createOverlay({ base: {} as never })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
    expect(() => createOverlay({ base: memoryStorage(), maxByte: 1 } as never)).toThrow(/no option "maxByte"/);
    expect(() => createOverlay({ base: memoryStorage(), maxBytes: 0 })).toThrow(/maxBytes/);
  });

  it.each([
    [9, "ok"],
    [10, "ok"],
    [11, "too_large"],
  ])("holds at most maxBytes, here 10: %d bytes are %s", async (sizeBytes, outcome) => {
    const { storage, changes } = createOverlay({ base: await tree({ a: "12345678901234567890" }), maxBytes: 10 });
    await put(storage, "a", "1234");
    const writes: readonly (() => Promise<unknown>)[] = [
      () => storage.write("a", new Uint8Array(sizeBytes)),
      () =>
        storage.apply?.([
          { kind: "modify", path: "a", bytes: new Uint8Array(4) },
          { kind: "create", path: "b", bytes: new Uint8Array(sizeBytes - 4) },
        ]) as Promise<unknown>,
    ];
    for (const write of writes) {
      const before = await pathsIn(storage);
      if (outcome === "ok") await write();
      else {
        await expect(write()).rejects.toMatchObject({ code: outcome, details: { sizeBytes, maxBytes: 10 } });
        expect(await pathsIn(storage)).toEqual(before);
      }
    }
    await storage.delete("a");
    await expect(changes()).resolves.toHaveLength(outcome === "ok" ? 2 : 1);
  });
});

describe("an overlay's bounds", () => {
  it("count what one apply adds and takes away together", async () => {
    const { storage } = createOverlay({ base: memoryStorage(), maxBytes: 10 });
    await storage.write("a", new Uint8Array(10));
    const swap = (sizeBytes: number): Promise<unknown> | undefined =>
      storage.apply?.([
        { kind: "delete", path: "a" },
        { kind: "create", path: "b", bytes: new Uint8Array(sizeBytes) },
      ]);
    await expect(swap(11)).rejects.toMatchObject({ code: "too_large" });
    await swap(10);
    expect(await pathsIn(storage)).toEqual(["b"]);
  });

  it("stop changes before the base's previous bytes fill the memory, and commit does not need them", async () => {
    const base = await tree({ a: "1234", b: "5678", c: "9" });
    const pending = createPending();
    for (const { path, version, sizeBytes } of await base.list()) pending.set({ kind: "delete", path, pin: { version, sizeBytes } });
    for (const [maxPreviousBytes, fits] of [
      [8, false],
      [9, true],
      [10, true],
    ] as const) {
      const listing = changesOf({ base, pending }, { maxPreviousBytes });
      if (fits) await expect(listing).resolves.toHaveLength(3);
      else await expect(listing).rejects.toMatchObject({ code: "too_large", details: { maxBytes: 8 } });
    }
  });

  it.each([49_999, 50_000, 50_001])("hold at most 50,000 changed paths, as many as one apply takes: %d", async (count) => {
    const view = {
      base: memoryStorage(),
      pending: createPending(Array.from({ length: count - 1 }, (_, index) => ({ kind: "delete", path: `f${index}`, pin: { version: "v", sizeBytes: 1 } }))),
    };
    const write = prepareWrite(view, "g" as FilePath, encodeUtf8("x"), { maxBytes: 1 }).then((ready) => ready());
    if (count <= 50_000) await expect(write).resolves.toMatchObject({ path: "g" });
    else await expect(write).rejects.toMatchObject({ code: "too_large", details: { count } });
  });
});
