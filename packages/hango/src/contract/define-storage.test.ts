import { describe, expect, it } from "vitest";
import { isHangoError, type ErrorCode } from "../errors.ts";
import { storageBrand, type FileInfo } from "../storage.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { decodeText, encodeUtf8 } from "../text/utf8.ts";
import { assertStorage, defineStorage } from "./define-storage.ts";
import { filled, rawStorage } from "./raw.test-support.ts";

const coded = (code: ErrorCode) => ({ code });
const pathsOf = (infos: readonly FileInfo[]): string[] => infos.map(({ path }) => path);
const page = { offset: 1, limit: 10, column: 1, maxLineChars: 100 };

describe("defineStorage", () => {
  it("brands what it makes, and returns a Storage as it is", () => {
    const storage = defineStorage(rawStorage());
    expect(storage[storageBrand]).toBe(true);
    expect(defineStorage(storage as never)).toBe(storage);
    expect(() => assertStorage(storage, "storage")).not.toThrow();
    expect(() => assertStorage(rawStorage(), "base")).toThrow(
      expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining("base must be a Storage") }),
    );
  });

  it("does not brand a spread of a Storage, which may have replaced anything", () => {
    const spread = { ...defineStorage(rawStorage()) };
    expect(() => assertStorage(spread, "base")).toThrow(expect.objectContaining(coded("invalid_argument")));
    expect(defineStorage(spread as never)[storageBrand]).toBe(true);
  });

  it("refuses an implementation without a name or a method", () => {
    for (const broken of [undefined, null, "x", { ...rawStorage(), name: "" }, { ...rawStorage(), read: undefined }, { ...rawStorage(), delete: 1 }]) {
      expect(() => defineStorage(broken as never)).toThrow(expect.objectContaining(coded("invalid_argument")));
    }
  });

  it("calls an implementation as a method, so that `this` works", async () => {
    const own = {
      ...rawStorage(),
      prefix: "p",
      async list(): Promise<FileInfo[]> {
        return [{ path: this.prefix, sizeBytes: 0, contentType: "text/plain", version: "1" }];
      },
    };
    expect(pathsOf(await defineStorage(own).list())).toEqual(["p"]);
  });

  it("lets no bad path reach an implementation, by any operation", async () => {
    const { raw, storage } = await filled(["a"]);
    for (const path of ["docs/../z.md", "/a", "a/", "", "a\\b", "a\0b"]) {
      await expect(storage.read(path)).rejects.toMatchObject(coded("invalid_path"));
      await expect(storage.write(path, encodeUtf8("x"))).rejects.toMatchObject(coded("invalid_path"));
      await expect(storage.delete(path)).rejects.toMatchObject(coded("invalid_path"));
      await expect(storage.lines(path, page)).rejects.toMatchObject(coded("invalid_path"));
      if (path === "") continue;
      await expect(storage.list({ prefix: path })).rejects.toMatchObject(coded("invalid_path"));
      await expect(storage.stat(path)).rejects.toMatchObject(coded("invalid_path"));
      await expect(storage.ls(path)).rejects.toMatchObject(coded("invalid_path"));
      await expect(storage.glob({ pattern: parseGlob("*"), root: path, limit: 1 })).rejects.toMatchObject(coded("invalid_path"));
    }
    expect(raw.asked).toEqual([]);
  });

  it("copies content on the way in and on the way out", async () => {
    const { storage } = await filled([]);
    const bytes = Buffer.from("first\n");
    await storage.write("a", bytes);
    bytes.fill(0);
    const got = await storage.read("a");
    expect(decodeText(got.bytes)).toBe("first\n");
    got.bytes.fill(0);
    expect(decodeText((await storage.read("a")).bytes)).toBe("first\n");
  });

  it("turns a foreign error into internal, without its text and with it as the cause", async () => {
    const { storage } = await filled([]);
    const error = await storage.read("broken").catch((thrown: unknown) => thrown);
    expect(isHangoError(error, "internal")).toBe(true);
    expect(error).toMatchObject({
      message: 'The storage "raw" could not read /broken.',
      path: "/broken",
      op: "read",
      cause: expect.objectContaining({ message: "EIO /secret/host/path" }),
    });
  });

  it("applies prefix, filters, after and limit again to what a lazy list answers", async () => {
    const { storage } = await filled(["docs.md", "docs/a.md", "docs/b.md", "docs0", "z.md"]);
    expect(pathsOf(await storage.list({ prefix: "docs" }))).toEqual(["docs/a.md", "docs/b.md"]);
    expect(pathsOf(await storage.list({ prefix: "" }))).toEqual(["docs.md", "docs/a.md", "docs/b.md", "docs0", "z.md"]);
    expect(pathsOf(await storage.list({ filters: [{ hide: ["docs/"], show: ["docs/b.md"] }] }))).toEqual(["docs.md", "docs/b.md", "docs0", "z.md"]);
    expect(
      pathsOf(
        await storage.list({
          filters: [
            { hide: ["docs/"], show: ["docs/b.md"] },
            { hide: ["docs/b.md"], show: [] },
          ],
        }),
      ),
    ).toEqual(["docs.md", "docs0", "z.md"]);
    expect(pathsOf(await storage.list({ after: "docs/a.md", limit: 2 }))).toEqual(["docs/b.md", "docs0"]);
    expect(pathsOf(await storage.list({ limit: 0 }))).toEqual([]);
  });

  it("refuses an answer out of byte order, or one that names a path twice", async () => {
    const info = (path: string): FileInfo => ({ path, sizeBytes: 0, contentType: "text/plain", version: "1" });
    for (const paths of [
      ["b", "a"],
      ["a", "a"],
      ["😀", "\uff61"],
    ]) {
      const storage = defineStorage(rawStorage({ name: "liar", list: async () => paths.map(info), search: { syntax: "", paths: async () => paths } }));
      await expect(storage.list()).rejects.toMatchObject({ code: "internal", message: expect.stringMatching(/"liar".*list.*byte order/) });
      await expect(storage.search?.paths("x")).rejects.toMatchObject(coded("internal"));
    }
    const sorted = defineStorage(rawStorage({ list: async () => ["\uff61", "😀"].map(info) }));
    expect(pathsOf(await sorted.list())).toEqual(["\uff61", "😀"]);
  });

  it("refuses an answer for another path, with a bad version or a bad size", async () => {
    const good: FileInfo = { path: "a", sizeBytes: 1, contentType: "text/plain", version: "1" };
    for (const wrong of [
      { path: "b" },
      { path: "/a" },
      { version: "" },
      { version: "absent" },
      { version: 'a"b' },
      { version: "v".repeat(129) },
      { sizeBytes: -1 },
      { sizeBytes: 0.5 },
    ]) {
      const storage = defineStorage(rawStorage({ write: async () => ({ ...good, ...wrong }) }));
      await expect(storage.write("a", encodeUtf8("x"))).rejects.toMatchObject(coded("internal"));
    }
    const storage = defineStorage(rawStorage({ write: async () => ({ ...good, version: "v".repeat(128) }) }));
    expect((await storage.write("a", encodeUtf8("x"))).version).toHaveLength(128);
  });

  it("refuses options that are wrong instead of ignoring them", async () => {
    const { raw, storage } = await filled(["a"]);
    for (const ifVersion of ["", "a b", "v".repeat(129), "ü", 'W/"1"', 7, null]) {
      await expect(storage.write("a", encodeUtf8("x"), { ifVersion: ifVersion as string })).rejects.toMatchObject(coded("invalid_argument"));
      await expect(storage.delete("a", { ifVersion: ifVersion as string })).rejects.toMatchObject(coded("invalid_argument"));
    }
    await expect(storage.delete("a", { ifVersion: "absent" })).rejects.toMatchObject(coded("invalid_argument"));
    for (const contentType of ["text/plain\r\nx: y", "ü", "a".repeat(256), 7])
      await expect(storage.write("a", encodeUtf8("x"), { contentType: contentType as string })).rejects.toMatchObject(coded("invalid_argument"));
    for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1"])
      await expect(storage.list({ limit: limit as number })).rejects.toMatchObject(coded("invalid_argument"));
    for (const after of ["\ud800", "a\0", "a".repeat(1025), 7])
      await expect(storage.list({ after: after as string })).rejects.toMatchObject(coded("invalid_argument"));
    await expect(storage.list({ filters: [{ hide: "a" }] as never })).rejects.toMatchObject(coded("invalid_argument"));
    await expect(storage.write("a", "text" as never)).rejects.toMatchObject(coded("invalid_argument"));
    for (const wrong of [{ offset: 0 }, { column: 0 }, { limit: -1 }, { maxLineChars: 0 }])
      await expect(storage.lines("a", { ...page, ...wrong })).rejects.toMatchObject(coded("invalid_argument"));
    expect(raw.asked).toEqual([]);
    await storage.write("a", encodeUtf8("x"), { contentType: "a".repeat(255), ifVersion: "v".repeat(128) });
    expect(raw.asked).toEqual(["a"]);
  });

  it("checks abort before an implementation is asked, and rethrows the reason untouched", async () => {
    const { raw, storage } = await filled(["a"]);
    const signal = AbortSignal.abort("my own reason");
    const grep = { pattern: parsePattern("x"), root: "", context: 0, limit: 1, signal };
    const calls = [
      () => storage.list({ signal }),
      () => storage.read("a", { signal }),
      () => storage.write("a", encodeUtf8("x"), { signal }),
      () => storage.delete("a", { signal }),
      () => storage.stat("", { signal }),
      () => storage.ls("", { signal }),
      () => storage.lines("a", { ...page, signal }),
      () => storage.glob({ pattern: parseGlob("*"), root: "", limit: 1, signal }),
      () => storage.grep(grep),
    ];
    for (const call of calls) await expect(call()).rejects.toBe("my own reason");
    expect(raw.asked).toEqual([]);
  });

  it("rethrows the reason when an implementation fails because it was told to stop", async () => {
    const controller = new AbortController();
    const reason = new Error("stop");
    const storage = defineStorage(
      rawStorage({
        read: async () => {
          controller.abort(reason);
          throw new DOMException("The user aborted a request.", "AbortError");
        },
      }),
    );
    await expect(storage.read("a", { signal: controller.signal })).rejects.toBe(reason);
  });

  it("tells onSkip nothing of hidden files", async () => {
    const told: string[] = [];
    const storage = defineStorage(
      rawStorage({
        list: async (options) => {
          for (const path of ["a/x", "hidden/x", "b"]) options?.onSkip?.(path, "unreadable");
          return [];
        },
      }),
    );
    await storage.list({ filters: [{ hide: ["hidden/"], show: [] }], onSkip: (path) => told.push(path) });
    await storage.list({ prefix: "a", onSkip: (path) => told.push(path) });
    expect(told).toEqual(["a/x", "b", "a/x"]);
  });

  it("keeps names of JavaScript's own objects apart", async () => {
    const names = ["__proto__", "constructor", "hasOwnProperty/__proto__", "toString"];
    const { storage } = await filled(names);
    expect(pathsOf(await storage.list())).toEqual(names);
    expect((await storage.ls("")).map((entry) => (entry.kind === "file" ? entry.info.path : entry.path))).toEqual([
      "__proto__",
      "constructor",
      "hasOwnProperty",
      "toString",
    ]);
  });
});
