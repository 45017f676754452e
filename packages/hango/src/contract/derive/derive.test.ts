import { describe, expect, it, vi } from "vitest";
import { HangoError } from "../../errors.ts";
import { memoryStorage } from "../../storages/memory.ts";
import type { FileInfo, GrepQuery, ListOptions, Storage, StorageImplementation } from "../../storage.ts";
import { parseGlob } from "../../text/glob.ts";
import { createPrng } from "../../text/pattern/fuzz-support.ts";
import { parsePattern } from "../../text/pattern/pattern.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { defineStorage } from "../define-storage.ts";

async function tree(
  files: Readonly<Record<string, string | Uint8Array>>,
  extra: Partial<StorageImplementation> = {},
): Promise<{ storage: Storage; pages: ListOptions[]; rows: () => number }> {
  const inner = memoryStorage();
  for (const [path, content] of Object.entries(files)) await inner.write(path, typeof content === "string" ? encodeUtf8(content) : content);
  const pages: ListOptions[] = [];
  let rows = 0;
  const list = async (options: ListOptions = {}): Promise<readonly FileInfo[]> => {
    const page = await inner.list(options);
    pages.push(options);
    rows += page.length;
    return page;
  };
  const { read, write } = inner;
  return { storage: defineStorage({ name: "four methods", list, read, write, delete: inner.delete, ...extra }), pages, rows: () => rows };
}

const many = (count: number, name: (index: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), "x\n"]));
const grepFor = (pattern: string, more: Partial<GrepQuery> = {}): GrepQuery => ({ pattern: parsePattern(pattern), root: "", context: 0, limit: 100, ...more });

describe("derived stat", () => {
  it("tells file, directory and nothing by one row", async () => {
    const { storage, pages, rows } = await tree({ "a.md": "x", "a/b/c": "x", a0: "x" });
    expect(await storage.stat("a.md")).toMatchObject({ kind: "file", info: { path: "a.md" } });
    expect(await storage.stat("a")).toEqual({ kind: "directory", path: "a" });
    expect(await storage.stat("a/b")).toEqual({ kind: "directory", path: "a/b" });
    expect(await storage.stat("a/b/c/d")).toBeUndefined();
    expect(await storage.stat("b")).toBeUndefined();
    expect(await storage.stat("")).toEqual({ kind: "directory", path: "" });
    expect([pages.length, rows()]).toEqual([5, 3]);
  });

  it("does not know a directory of which nothing shows", async () => {
    const { storage } = await tree({ "a/b": "x" });
    expect(await storage.stat("a", { filters: [{ hide: ["a/b"], show: [] }] })).toBeUndefined();
  });
});

describe("derived ls", () => {
  const names = async (storage: Storage, directory: string, options: object = {}): Promise<string[]> =>
    (await storage.ls(directory, options)).map((entry) => (entry.kind === "file" ? entry.info.path : `${entry.path}/`));

  it("orders names by bytes, a directory counted with its slash", async () => {
    const { storage } = await tree(many(8, (index) => ["a-", "a.txt", "a/x", "a/y/z", "a0", "b", "\uff61", "😀/x"][index] as string));
    expect(await names(storage, "")).toEqual(["a-", "a.txt", "a/", "a0", "b", "\uff61", "😀/"]);
    expect(await names(storage, "a")).toEqual(["a/x", "a/y/"]);
    expect(await names(storage, "a.txt")).toEqual([]);
    expect(await names(storage, "nothing")).toEqual([]);
  });

  it("goes on after any name and stops at the limit, entry by entry the same list", async () => {
    const { storage } = await tree(many(8, (index) => ["a-", "a.txt", "a/x", "a/y/z", "a0", "b", "\uff61", "😀/x"][index] as string));
    for (const limit of [1, 2, 3, 100]) {
      const all: string[] = [];
      for (let after: string | undefined; ; after = all.at(-1)) {
        const page = await names(storage, "", { limit, ...(after === undefined ? {} : { after }) });
        all.push(...page);
        if (page.length < limit) break;
      }
      expect(all).toEqual(["a-", "a.txt", "a/", "a0", "b", "\uff61", "😀/"]);
    }
    expect(await names(storage, "", { after: "a/m" })).toEqual(["a0", "b", "\uff61", "😀/"]);
    expect(await names(storage, "", { after: "" })).toHaveLength(7);
    // "after must be … at most 1024 characters" came from the cursor, not from the caller.
    expect(await names(storage, "a", { after: "z".repeat(1024) })).toEqual([]);
    expect(await names(storage, "a", { after: "0".repeat(1024) })).toEqual(await names(storage, "a"));
    expect(await names(storage, "", { limit: 0 })).toEqual([]);
  });

  it("jumps over what is below a directory instead of reading it", async () => {
    const { storage, pages } = await tree({
      ...many(6_000, (index) => `big/${String(index).padStart(5, "0")}`),
      big0: "x",
      "big/\u{10ffff}\u{10ffff}": "x",
      c: "x",
    });
    expect(await names(storage, "")).toEqual(["big/", "big0", "c"]);
    expect(pages).toHaveLength(2);
  });

  it("does not show a directory of which nothing shows, but counts on to the next", async () => {
    const { storage } = await tree({ "a/x": "x", "b/x": "x", "c/mine": "x", "c/other": "x" });
    expect(await names(storage, "", { filters: [{ hide: ["a/", "c/"], show: ["c/mine"] }], limit: 2 })).toEqual(["b/", "c/"]);
  });
});

describe("derived lines", () => {
  it("clips in code points and goes on at a column", async () => {
    const { storage } = await tree({ f: "\ufeff😀😀😀\r\nabc\n" });
    const page = { offset: 1, limit: 5, column: 1, maxLineChars: 2 };
    expect(await storage.lines("f", page)).toMatchObject({
      totalLines: 2,
      lines: [
        { number: 1, text: "😀😀", clipped: true },
        { number: 2, text: "ab", clipped: true },
      ],
    });
    expect(await storage.lines("f", { ...page, column: 3 })).toMatchObject({ firstLineChars: 3, lines: [{ text: "😀", clipped: false }, { text: "ab" }] });
    expect(await storage.lines("f", { ...page, column: 2 })).toMatchObject({ firstLineChars: 3, lines: [{ text: "😀😀", clipped: false }, {}] });
    expect(await storage.lines("f", { ...page, maxLineChars: 3 })).toMatchObject({ lines: [{ text: "😀😀😀", clipped: false }, { clipped: false }] });
    expect(await storage.lines("f", { ...page, offset: 3 })).toMatchObject({ totalLines: 2, lines: [] });
  });

  it("refuses binary", async () => {
    const { storage } = await tree({ nul: new Uint8Array([97, 0]), latin: new Uint8Array([0xe9]) });
    for (const path of ["nul", "latin"])
      await expect(storage.lines(path, { offset: 1, limit: 1, column: 1, maxLineChars: 1 })).rejects.toMatchObject({ code: "not_text", path: `/${path}` });
  });
});

describe("derived glob", () => {
  it("answers in byte order, within root, filters and limit", async () => {
    const { storage } = await tree(many(5, (index) => ["docs/a.md", "docs/deep/b.md", "docs/c.txt", "x.md", "docs.md"][index] as string));
    const query = { pattern: parseGlob("*.md"), root: "", limit: 10 };
    expect(await storage.glob(query)).toEqual(["docs.md", "docs/a.md", "docs/deep/b.md", "x.md"]);
    expect(await storage.glob({ ...query, root: "docs" })).toEqual(["docs/a.md", "docs/deep/b.md"]);
    expect(await storage.glob({ ...query, pattern: parseGlob("/*.md"), root: "docs" })).toEqual(["docs/a.md"]);
    expect(await storage.glob({ ...query, filters: [{ hide: ["docs/"], show: [] }], limit: 1 })).toEqual(["docs.md"]);
    expect(await storage.glob({ ...query, root: "x.md" })).toEqual([]);
    expect(await storage.glob({ ...query, limit: 0 })).toEqual([]);
  });

  it("lists only the directory that the pattern spells out", async () => {
    const { storage, pages } = await tree(many(3_000, (index) => `${index % 2 === 0 ? "src/app" : "other"}/f${index}.ts`));
    expect(await storage.glob({ pattern: parseGlob("app/*.ts"), root: "src", limit: 3 })).toHaveLength(3);
    expect(pages.map(({ prefix }) => prefix)).toEqual(["src/app"]);
  });

  it("finds nothing by a pattern that no path can match", async () => {
    const { storage } = await tree({ "a/b": "x", b: "x" });
    for (const pattern of [`${"d/".repeat(33)}*`, `${"n".repeat(256)}/*`])
      expect(await storage.glob({ pattern: parseGlob(pattern), root: "", limit: 5 })).toEqual([]);
  });
});

describe("derived grep", () => {
  it("answers timeout for a pattern that takes far longer than its text, as a database does: it held the process for 32 seconds", async () => {
    const prng = createPrng(1);
    const { storage } = await tree({ a: Array.from({ length: 200_000 }, () => prng.pick(["a", "b"])).join("") });
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 20)); // a slow machine: 20 ms for each of the machine's looks
    await expect(storage.grep(grepFor("(a|b)*a(a|b){30}[xz]"))).rejects.toMatchObject({ code: "timeout", message: expect.stringContaining("more specific") });
    expect(await storage.grep(grepFor("(a|b)c"))).toEqual([]);
    vi.restoreAllMocks();
  });

  it("answers by path and line, with the column in code points", async () => {
    const { storage } = await tree({ "b.md": "x\n😀 hit hit\n", "a.md": "hit\r\nno\nhit", "c.txt": "hit" });
    expect(await storage.grep(grepFor("hit$", { include: parseGlob("*.md") }))).toEqual([
      { path: "a.md", line: 1, column: 1, text: "hit" },
      { path: "a.md", line: 3, column: 1, text: "hit" },
      { path: "b.md", line: 2, column: 7, text: "😀 hit hit" },
    ]);
    expect(await storage.grep(grepFor("hit", { root: "c.txt", include: parseGlob("*.txt") }))).toHaveLength(1);
    expect(await storage.grep(grepFor("hit", { limit: 2 }))).toHaveLength(2);
    expect(await storage.grep(grepFor("hit", { limit: 0 }))).toEqual([]);
  });

  it("gives context on both sides, and a window of a long line", async () => {
    const { storage } = await tree({ f: `1\n2\n${"x".repeat(600)}hit${"y".repeat(600)}\n4\n${"z".repeat(600)}` });
    const [hit] = await storage.grep(grepFor("hit", { context: 2 }));
    expect(hit).toMatchObject({ line: 3, column: 601, before: ["1", "2"], after: ["4", "z".repeat(500)] });
    expect(hit?.text).toBe(`${"x".repeat(100)}hit${"y".repeat(397)}`);
  });

  it("skips binary files with a notice, but only up to where it stops", async () => {
    const told: string[] = [];
    const { storage } = await tree({ "a.bin": new Uint8Array([0xff]), b: "hit", "c.bin": new Uint8Array([0]), d: "hit" });
    const onSkip = (path: string, reason: string): void => void told.push(`${path}: ${reason}`);
    expect(await storage.grep(grepFor("hit", { limit: 1, onSkip }))).toHaveLength(1);
    expect(told).toEqual(["a.bin: binary"]);
    expect(await storage.grep(grepFor("hit", { onSkip, filters: [{ hide: ["a.bin"], show: [] }] }))).toHaveLength(2);
    expect(told).toEqual(["a.bin: binary", "c.bin: binary"]);
  });

  it("skips a file that can't be read or is too large, and goes on", async () => {
    const told: string[] = [];
    const { storage } = await tree(
      { a: "hit", b: "hit", c: "hit", d: "hit" },
      {
        list: async () =>
          ["a", "b", "c", "d"].map((path) => ({
            path,
            sizeBytes: path === "b" ? 16 * 1024 * 1024 + 1 : 16 * 1024 * 1024,
            contentType: "text/plain",
            version: "1",
          })),
        read: async (path) => {
          if (path === "a") throw new Error("EACCES /host");
          if (path === "c") throw new HangoError("not_found", "gone");
          return { info: { path, sizeBytes: 3, contentType: "text/plain", version: "1" }, bytes: encodeUtf8("hit") };
        },
      },
    );
    expect(await storage.grep(grepFor("hit", { onSkip: (path, reason) => void told.push(`${path}: ${reason}`) }))).toMatchObject([{ path: "d" }]);
    expect(told).toEqual(["a: could not be read", "b: larger than 16777216 bytes"]);
  });

  it("fails when the store does not answer, instead of finding nothing", async () => {
    const { storage } = await tree(
      { a: "hit" },
      {
        read: async () => {
          throw new HangoError("unavailable", "no connection");
        },
      },
    );
    await expect(storage.grep(grepFor("hit"))).rejects.toMatchObject({ code: "unavailable" });
  });

  it("stops between files when it is aborted", async () => {
    const controller = new AbortController();
    let reads = 0;
    const { storage } = await tree(
      many(10, (index) => `f${index}`),
      {
        read: async (path) => {
          reads += 1;
          if (reads === 3) controller.abort(new Error("stop"));
          return { info: { path, sizeBytes: 1, contentType: "text/plain", version: "1" }, bytes: encodeUtf8("x") };
        },
      },
    );
    await expect(storage.grep(grepFor("hit", { signal: controller.signal }))).rejects.toThrow(/^stop$/);
    expect(reads).toBe(3);
  });

  it("pages through a tree of more files than a page", async () => {
    const { storage, pages } = await tree(many(2_001, (index) => `f${String(index).padStart(4, "0")}`));
    expect(await storage.grep(grepFor("x", { limit: 5_000 }))).toHaveLength(2_001);
    expect(pages).toHaveLength(3);
  });
});
