import { beforeEach, describe, expect, it } from "vitest";
import { defineLayer } from "../contract/define-layer.ts";
import { notFound, type ErrorCode } from "../errors.ts";
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

describe("read", () => {
  it("answers a window and where to go on", async () => {
    await fs.write("/f.txt", "1\n2\n3\n4\n5\n");
    const window = await fs.read("/f.txt", { offset: 2, limit: 2 });
    expect(window).toMatchObject({
      path: "/f.txt",
      totalLines: 5,
      sizeBytes: 10,
      nextOffset: 4,
      lines: [
        { number: 2, text: "2", clipped: false },
        { number: 3, text: "3", clipped: false },
      ],
    });
    expect("nextColumn" in window).toBe(false);
    expect("nextOffset" in (await fs.read("/f.txt", { offset: 4, limit: 2 }))).toBe(false);
    expect((await fs.read("/f.txt", { offset: 0, limit: 1 })).lines.map(({ number }) => number)).toEqual([1]);
    expect((await fs.read("/f.txt", { offset: 5 })).lines.map(({ text }) => text)).toEqual(["5"]);
  });

  it("refuses an offset past the end and names the line count", async () => {
    await fs.write("/f.txt", "1\n2\n3\n4\n5\n");
    await expect(fs.read("/f.txt", { offset: 6 })).rejects.toMatchObject({
      ...coded("invalid_argument", /5 lines.*offset 6.*offset 5/),
      details: { totalLines: 5 },
    });
    for (const wrong of [{ offset: -1 }, { offset: 1.5 }, { offset: Number.NaN }, { limit: 0 }, { limit: -1 }, { limit: 0.5 }, { column: 0 }, { column: -1 }])
      await expect(fs.read("/f.txt", wrong)).rejects.toMatchObject(coded("invalid_argument"));
  });

  it("reads an empty file from the start, but not past it", async () => {
    await fs.write("/e", "");
    expect(await fs.read("/e")).toMatchObject({ totalLines: 0, lines: [], sizeBytes: 0 });
    await expect(fs.read("/e", { offset: 2 })).rejects.toMatchObject(coded("invalid_argument", /0 lines.*empty/));
    await expect(fs.read("/e", { column: 2 })).rejects.toMatchObject(coded("invalid_argument", /0 characters/));
  });

  it("leaves nothing of a long line out of reach", async () => {
    await fs.write("/long.txt", `${"x".repeat(5000)}${"😀".repeat(1000)}\nend\n`);
    const first = await fs.read("/long.txt", { limit: 1 });
    expect(first).toMatchObject({ nextColumn: 5001, nextOffset: 2, lines: [{ text: "x".repeat(5000), clipped: true }] });
    const rest = await fs.read("/long.txt", { limit: 1, column: 5001 });
    expect(rest.lines[0]).toEqual({ number: 1, text: "😀".repeat(1000), clipped: false });
    expect("nextColumn" in rest).toBe(false);
    expect((await fs.read("/long.txt", { column: 6000 })).lines.map(({ text }) => text)).toEqual(["😀", "end"]);
    await expect(fs.read("/long.txt", { column: 6001 })).rejects.toMatchObject(coded("invalid_argument", /6000 characters/));
    const narrow = createFileSystem(storage, { limits: { maxLineChars: 10 } });
    expect((await narrow.read("/long.txt", { limit: 1, column: 5001 })).nextColumn).toBe(5011);
  });

  it("goes on by nextOffset alone to the end, at most maxReadLines at a time", async () => {
    await fs.write("/n", Array.from({ length: 4_001 }, (_, index) => `line ${index + 1}\n`).join(""));
    const seen: number[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const window = await fs.read("/n", { offset, limit: 1_000_000 });
      expect(window.lines.length).toBeLessThanOrEqual(2_000);
      seen.push(...window.lines.map(({ number }) => number));
      offset = window.nextOffset;
    }
    expect(seen).toEqual(Array.from({ length: 4_001 }, (_, index) => index + 1));
  });

  it("refuses a directory, the root, binary and what is not there", async () => {
    await storage.write("d/b.bin", new Uint8Array([0]));
    await expect(fs.read("/d")).rejects.toMatchObject(coded("not_a_file"));
    await expect(fs.read("/")).rejects.toMatchObject(coded("not_a_file"));
    await expect(fs.read("/d/b.bin")).rejects.toMatchObject(coded("not_text"));
    await expect(fs.read("/d/x")).rejects.toMatchObject({ code: "not_found", message: "/d/x does not exist." });
  });

  it("tells a directory from a missing file also where the storage only knows missing", async () => {
    const lazy = createFileSystem(
      defineLayer({
        name: "lazy",
        list: storage.list,
        read: storage.read,
        write: storage.write,
        delete: storage.delete,
        stat: undefined,
        ls: undefined,
        glob: undefined,
        grep: undefined,
        search: undefined,
        apply: undefined,
        record: undefined,
        close: undefined,
        lines: async (path) => {
          throw notFound(path);
        },
      }),
    );
    await fs.write("/d/f", "x");
    await expect(lazy.read("/d")).rejects.toMatchObject(coded("not_a_file"));
  });

  it("hints when the same name exists in another Unicode form", async () => {
    await fs.write("/caf\u00e9.md", "nfc");
    await fs.write("/dir/e\u0301", "nfd");
    for (const call of [
      () => fs.read("/cafe\u0301.md"),
      () => fs.stat("/cafe\u0301.md"),
      () => fs.edit("/cafe\u0301.md", "a", "b"),
      () => fs.delete("/cafe\u0301.md"),
      () => fs.delete("/cafe\u0301.md", { recursive: true }),
      () => fs.grep("x", { path: "/cafe\u0301.md" }),
    ]) {
      await expect(call()).rejects.toMatchObject({ ...coded("not_found", /Unicode/), path: "/cafe\u0301.md", details: { similarPath: "/caf\u00e9.md" } });
    }
    await expect(fs.read("/dir/\u00e9")).rejects.toMatchObject({ details: { similarPath: "/dir/e\u0301" } });
    await expect(fs.read(`/${"\u00e9".repeat(127)}`)).rejects.toMatchObject({ code: "not_found", message: expect.not.stringContaining("Unicode") });
  });
});
