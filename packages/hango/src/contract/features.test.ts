import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../errors.ts";
import type { FileEvent, FileInfo } from "../storage.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { defineStorage } from "./define-storage.ts";
import { rawStorage } from "./raw.test-support.ts";

const coded = (code: ErrorCode) => ({ code });
const pathsOf = (infos: readonly FileInfo[]): string[] => infos.map(({ path }) => path);

describe("features", () => {
  it("are absent when the implementation has none", () => {
    const storage = defineStorage(rawStorage({ search: undefined, apply: undefined }));
    for (const feature of ["search", "apply", "record", "close"] as const) expect(feature in storage).toBe(false);
  });

  it("check every mutation before the implementation sees one", async () => {
    let calls = 0;
    const storage = defineStorage(
      rawStorage({
        apply: async (mutations) => {
          calls += 1;
          return mutations.map(({ path }) => ({ path, sizeBytes: 0, contentType: "x/y", version: "1" }));
        },
      }),
    );
    const bytes = encodeUtf8("x");
    const create = (path: string) => ({ kind: "create", path, bytes }) as const;
    await expect(storage.apply?.([create("a"), create("a")])).rejects.toMatchObject({ code: "invalid_argument", message: expect.stringContaining("/a") });
    await expect(storage.apply?.([create("a"), { kind: "delete", path: "a" }])).rejects.toMatchObject(coded("invalid_argument"));
    await expect(storage.apply?.([create("a/b/c"), create("a")])).rejects.toMatchObject(coded("invalid_argument"));
    for (const none of [null, undefined, "a"]) await expect(storage.apply?.([none as never])).rejects.toMatchObject(coded("invalid_argument"));
    await expect(storage.apply?.([create("../a")])).rejects.toMatchObject(coded("invalid_path"));
    await expect(storage.apply?.([{ kind: "rename", path: "a" } as never])).rejects.toMatchObject(coded("invalid_argument"));
    await expect(storage.apply?.([{ kind: "delete", path: "a", ifVersion: "absent" }])).rejects.toMatchObject(coded("invalid_argument"));
    expect(await storage.apply?.([])).toEqual([]);
    expect(calls).toBe(0);
    expect(pathsOf((await storage.apply?.([create("a"), create("a.b")])) ?? [])).toEqual(["a", "a.b"]);
  });

  it("take 50,000 mutations and refuse one more", async () => {
    const storage = defineStorage(rawStorage({ apply: async () => [] }));
    const deletes = Array.from({ length: 50_001 }, (_, index) => ({ kind: "delete", path: `f${index}` }) as const);
    await expect(storage.apply?.(deletes)).rejects.toMatchObject(coded("invalid_argument"));
    expect(await storage.apply?.(deletes.slice(1))).toEqual([]);
  });

  it("refuse infos that do not answer the mutations", async () => {
    const storage = defineStorage(rawStorage({ apply: async () => [] }));
    await expect(storage.apply?.([{ kind: "create", path: "a", bytes: encodeUtf8("x") }])).rejects.toMatchObject(coded("internal"));
  });

  it("apply filters, prefix and limit to what a search answers, and refuse an empty query", async () => {
    const storage = defineStorage(rawStorage({ search: { syntax: "any", paths: async () => ["a", "hidden/b", "p/c", "p/d"] } }));
    expect(await storage.search?.paths("x", { filters: [{ hide: ["hidden/"], show: [] }], limit: 2 })).toEqual(["a", "p/c"]);
    expect(await storage.search?.paths("x", { prefix: "p", after: "p/c" })).toEqual(["p/d"]);
    for (const query of ["", "\0", "\ud800", 7]) await expect(storage.search?.paths(query as string)).rejects.toMatchObject(coded("invalid_argument"));
  });

  it("answer unavailable when a record can't be kept", async () => {
    const storage = defineStorage(
      rawStorage({
        record: async () => {
          throw new Error("disk full at /var/lib");
        },
      }),
    );
    await expect(storage.record?.({ action: "file.write", outcome: "denied", path: "a" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.not.stringContaining("/var/lib"),
    });
  });

  it("check a row before it is recorded: an action of its own, or a reason of a megabyte, was kept", async () => {
    const kept: FileEvent[] = [];
    const storage = defineStorage(rawStorage({ record: async (event) => void kept.push(event) }));
    const row = { action: "file.write", outcome: "denied", path: "a" } as const;
    const wrong = [null, { ...row, action: "file.read" }, { ...row, outcome: "maybe" }, { ...row, reason: "x".repeat(513) }, { ...row, reason: 7 }];
    for (const event of wrong) await expect(storage.record?.(event as never)).rejects.toMatchObject(coded("invalid_argument"));
    await expect(storage.record?.({ ...row, path: "../a" })).rejects.toMatchObject(coded("invalid_path"));
    expect(kept).toEqual([]);
    await storage.record?.({ ...row, reason: "😀".repeat(512) });
    expect(kept).toHaveLength(1);
  });

  it("close, and translate what closing throws", async () => {
    const storage = defineStorage(
      rawStorage({
        close: async () => {
          throw new Error("secret");
        },
      }),
    );
    await expect(storage.close?.()).rejects.toMatchObject(coded("internal"));
  });
});
