import { readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../errors.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { playground } from "../../../../../test/support/playground.ts";
import { osStorage } from "./index.ts";

const coded = (code: ErrorCode) => ({ code });

describe("versions of an osStorage", () => {
  it("tell two rewrites of one size apart, also within one tick of the clock", async () => {
    const { root, storage, place } = playground();
    for (let round = 0; round < 10; round++) {
      place("a.txt", "one");
      const { info } = await storage.read("a.txt");
      const [listed] = await storage.list();
      writeFileSync(join(root, "a.txt"), "two");
      expect([listed?.version === info.version, (await storage.read("a.txt")).info.version === info.version]).toEqual([true, false]);
      await expect(storage.write("a.txt", encodeUtf8("six"), { ifVersion: info.version })).rejects.toMatchObject(coded("conflict"));
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("two");
    }
  });

  it("tell a rewrite apart that put the time of change back", async () => {
    const { root, storage, place } = playground();
    place("a.txt", "one");
    const { version } = (await storage.read("a.txt")).info;
    const { atime, mtime } = statSync(join(root, "a.txt"));
    writeFileSync(join(root, "a.txt"), "two");
    utimesSync(join(root, "a.txt"), atime, mtime);
    await expect(storage.delete("a.txt", { ifVersion: version })).rejects.toMatchObject(coded("conflict"));
  });

  it("of a write of ours stand at once, and a change by another program right after it shows", async () => {
    const { root, storage } = playground();
    for (let round = 0; round < 10; round++) {
      const { version } = await storage.write("a.txt", encodeUtf8("one"));
      expect((await storage.list())[0]?.version).toBe(version);
      writeFileSync(join(root, "a.txt"), "two");
      await expect(storage.write("a.txt", encodeUtf8("six"), { ifVersion: version })).rejects.toMatchObject(coded("conflict"));
    }
  });

  it("exclude each other also between two storages of one directory", async () => {
    const { root, storage } = playground();
    const other = osStorage({ directory: root });
    const { version } = await storage.write("a.txt", encodeUtf8("start"));
    const ends = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? storage : other).write("a.txt", new Uint8Array(100_000 + index), { ifVersion: version })),
    );
    expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(1);
    const creates = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? storage : other).write("b.txt", new Uint8Array(100_000 + index), { ifVersion: "absent" })),
    );
    expect(creates.filter(({ status }) => status === "fulfilled").length).toBe(1);
    await other.close?.();
    expect(readdirSync(root).sort()).toEqual(["a.txt", "b.txt"]);
  });
});
