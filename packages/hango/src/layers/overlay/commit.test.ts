import { describe, expect, it } from "vitest";
import { defineStorage } from "../../contract/define-storage.ts";
import { HangoError } from "../../errors.ts";
import { memoryStorage } from "../../storages/memory.ts";
import type { CallOptions, Storage } from "../../storage.ts";
import { get, kinds, locked, pathsIn, plain, put, tree } from "../../../../../test/overlay/trees.ts";
import { createOverlay } from "../overlay.ts";

describe("an overlay's commit", () => {
  it("over a base without apply does all deletes, then all writes, each in path order", async () => {
    const steps: string[] = [];
    const base = plain(await tree({ b: "1", d: "2", m: "3" }), (step) => steps.push(step));
    const { storage, commit } = createOverlay({ base });
    for (const path of ["z", "a", "m"]) await put(storage, path, `new ${path}`);
    for (const path of ["d", "b"]) await storage.delete(path);
    expect((await commit()).map(({ path }) => path)).toEqual(["a", "m", "z"]);
    expect(steps).toEqual(["delete b", "delete d", "write a", "write m", "write z"]);
  });

  it("over a base with apply is one apply, and reads nothing", async () => {
    const calls: string[] = [];
    const inner = await tree({ a: "1", b: "2", c: "3" });
    const noted =
      <A extends readonly unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> => {
        calls.push(name);
        return call(...args);
      };
    const base = defineStorage({
      name: "noted",
      list: noted("list", inner.list),
      read: noted("read", inner.read),
      write: noted("write", inner.write),
      delete: noted("delete", inner.delete),
      stat: noted("stat", inner.stat),
      apply: noted("apply", inner.apply as NonNullable<Storage["apply"]>),
    });
    const { storage, commit } = createOverlay({ base });
    await put(storage, "a", "x");
    await storage.delete("b");
    await put(storage, "n", "new");
    calls.length = 0;
    await commit();
    expect(calls).toEqual(["apply"]);
  });

  it("over a read-only base fails with read_only, and everything is still pending", async () => {
    const overlay = createOverlay({ base: locked(await tree({ b: "1" })) });
    await put(overlay.storage, "a", "x");
    await overlay.storage.delete("b");
    const error = await overlay.commit().then(String, (reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "read_only",
      path: "/b",
      op: "commit",
      details: { applied: 0, left: 2 },
      cause: expect.objectContaining({ code: "read_only" }),
    });
    expect(String(error)).toContain("The commit stopped at /b: This storage is read-only. Nothing was committed; 2 changes are still pending.");
    expect(await kinds(overlay)).toEqual(["create a", "delete b"]);
  });

  it.each(["with apply", "without apply"])("over a base %s that has moved is a conflict that names every such path, and nothing is written", async (how) => {
    const inner = await tree({ a: "1", b: "2", c: "3", d: "4", e: "5" });
    const overlay = createOverlay({ base: how === "with apply" ? inner : plain(inner) });
    for (const path of ["a", "b", "n", "c"]) await put(overlay.storage, path, `draft ${path}`);
    await put(overlay.storage, "e", "5");
    await overlay.storage.delete("d");
    await put(inner, "a", "moved");
    await put(inner, "d", "moved");
    await put(inner, "e", "moved");
    await put(inner, "n", "made by another");
    await inner.delete("c");
    const before = await inner.list();
    await expect(overlay.commit()).rejects.toMatchObject({
      code: "conflict",
      details: { paths: ["/a", "/c", "/d", "/e", "/n"] },
      message: expect.stringContaining("/a, /c, /d, /e, /n"),
    });
    expect(await inner.list()).toEqual(before);
    expect(await kinds(overlay)).toEqual(["modify a", "modify b", "create c", "delete d", "modify e", "modify n"]);
  });

  it.each(["with apply", "without apply"])(
    "over a base %s goes on where the base came to hold the same by itself, as after an answer that was lost",
    async (how) => {
      const inner = await tree({ a: "1", b: "2", c: "3" });
      const { storage, commit, changes } = createOverlay({ base: how === "with apply" ? inner : plain(inner) });
      await put(storage, "a", "draft");
      await put(storage, "n", "new");
      await put(storage, "c", "only here");
      await storage.delete("b");
      await put(inner, "a", "draft");
      await put(inner, "n", "new");
      await inner.delete("b");
      const version = (await inner.read("a")).info.version;
      expect((await commit()).map(({ path }) => path)).toEqual(["c"]);
      expect([(await inner.read("a")).info.version, await changes()]).toEqual([version, []]);
    },
  );

  it("over a base that can't honour ifVersion looks just before it writes", async () => {
    const inner = await tree({ a: "1", b: "2" });
    const refuse = (options: { readonly ifVersion?: string } = {}): void => {
      if (options.ifVersion !== undefined) throw new HangoError("unsupported", "no versions");
    };
    const { storage, commit } = createOverlay({
      base: defineStorage({
        name: "blind",
        list: (options) => inner.list(options),
        read: (path, options) => inner.read(path, options),
        write: async (path, bytes, options) => {
          refuse(options);
          return inner.write(path, bytes);
        },
        delete: async (path, options) => {
          refuse(options);
          return inner.delete(path);
        },
      }),
    });
    await put(storage, "a", "x");
    await storage.delete("b");
    await put(inner, "a", "moved");
    await expect(commit()).rejects.toMatchObject({ code: "conflict" });
    await put(inner, "a", "x");
    await commit();
    expect(await pathsIn(inner)).toEqual(["a"]);
  });

  it("makes other calls wait while it runs, also discard, and a call that is aborted stops waiting", async () => {
    const inner = await tree({ a: "1" });
    const { promise: open, resolve: go } = Promise.withResolvers<void>();
    const base = defineStorage({
      name: "slow",
      list: (options) => inner.list(options),
      read: (path, options) => inner.read(path, options),
      write: async (path, bytes, options) => {
        await open;
        return inner.write(path, bytes, options);
      },
      delete: (path, options) => inner.delete(path, options),
    });
    const { storage, commit, discard, changes } = createOverlay({ base });
    await put(storage, "a", "2");
    const order: string[] = [];
    const done = (name: string) => (): void => void order.push(name);
    const committing = commit().then(done("commit"));
    const waiting = [
      get(storage, "a").then(done("read")),
      storage.list().then(done("list")),
      put(storage, "b", "x").then(done("write")),
      changes().then(done("changes")),
    ];
    discard();
    const controller = new AbortController();
    const aborted = storage.list({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    expect(order).toEqual([]);
    go();
    await Promise.all([committing, ...waiting]);
    expect(order).toHaveLength(5);
    expect([await get(inner, "a"), await pathsIn(storage)]).toEqual(["2", ["a"]]); // the discard came after the write
  });

  it("commits what was there when it was called: a discard right after it once emptied the overlay before it began", async () => {
    const base = memoryStorage();
    const { storage, commit, discard, changes } = createOverlay({ base });
    await put(storage, "a", "1");
    const committing = commit();
    discard();
    await committing;
    expect([await pathsIn(base), await changes()]).toEqual([["a"], []]);
  });

  it("stops at an abort with its reason, keeps the rest, and a retry finishes it", async () => {
    const inner = memoryStorage();
    const controller = new AbortController();
    const base = plain(inner, (step) => {
      if (step === "write b") controller.abort(new Error("enough"));
    });
    const overlay = createOverlay({ base });
    for (const path of ["a", "b", "c"]) await put(overlay.storage, path, path);
    await expect(overlay.commit({ signal: controller.signal })).rejects.toThrow("enough");
    expect([await kinds(overlay), await pathsIn(inner)]).toEqual([["create b", "create c"], ["a"]]);
    await overlay.commit();
    expect(await pathsIn(inner)).toEqual(["a", "b", "c"]);
  });

  it("passes origin and signal on", async () => {
    const seen: (CallOptions | undefined)[] = [];
    const inner = memoryStorage();
    const base = defineStorage({
      name: "noted",
      list: (options) => inner.list(options),
      read: (path, options) => inner.read(path, options),
      write: async (path, bytes, options) => {
        seen.push(options);
        return inner.write(path, bytes, options);
      },
      delete: (path, options) => inner.delete(path, options),
    });
    const { storage, commit } = createOverlay({ base });
    await put(storage, "a", "x");
    const { signal } = new AbortController();
    await commit({ origin: { actor: "operator", principal: "ann" }, signal });
    expect(seen).toMatchObject([{ origin: { actor: "operator", principal: "ann" }, signal, ifVersion: "absent" }]);
  });
});
