import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../errors.ts";
import type { FileInfo, Storage } from "../storage.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { defineStorage } from "./define-storage.ts";
import { rawStorage } from "./raw.test-support.ts";

const coded = (code: ErrorCode) => ({ code });
const info = (path: string): FileInfo => ({ path, sizeBytes: 1, contentType: "text/plain", version: "1" });
const page = { offset: 1, limit: 10, column: 1, maxLineChars: 10 };
const grep = { pattern: parsePattern("x"), root: "", context: 0, limit: 1 };

const calls: readonly (readonly [string, (storage: Storage) => Promise<unknown> | undefined])[] = [
  ["list", (storage) => storage.list()],
  ["read", (storage) => storage.read("a")],
  ["write", (storage) => storage.write("a", encodeUtf8("x"))],
  ["stat", (storage) => storage.stat("a")],
  ["ls", (storage) => storage.ls("")],
  ["lines", (storage) => storage.lines("a", page)],
  ["glob", (storage) => storage.glob({ pattern: parseGlob("*"), root: "", limit: 1 })],
  ["grep", (storage) => storage.grep(grep)],
  ["apply", (storage) => storage.apply?.([{ kind: "create", path: "a", bytes: encodeUtf8("x") }])],
];
/** Wrong for every method. */
const shapes: readonly unknown[] = [null, 7, "x", {}, [null], [7], { kind: "else", path: "a" }, { info: info("a"), bytes: "text" }];

describe("an implementation that answers what it may not", () => {
  it.each(calls)('gets internal from %s with its name: "rows is not iterable" reached the caller', async (method, call) => {
    for (const shape of shapes) {
      const storage = defineStorage(rawStorage({ name: "liar", [method]: async () => shape }));
      const refusal = { code: "internal", message: expect.stringContaining('"liar"') };
      await expect(call(storage), JSON.stringify(shape)).rejects.toMatchObject(refusal);
    }
  });

  it('refuses another spelling of a path, which slips past a filter: "./hidden/x" was listed', async () => {
    const filters = [{ hide: ["hidden/"], show: [] }];
    for (const path of ["./hidden/x", "hidden//x", "a/../hidden/x", "a/", "", "/a", "..", "a/."]) {
      const hit = { path, line: 1, column: 1, text: "x" };
      const liar = defineStorage(
        rawStorage({ list: async () => [info(path)], glob: async () => [path], grep: async () => [hit], search: { syntax: "", paths: async () => [path] } }),
      );
      await expect(liar.list({ filters })).rejects.toMatchObject(coded("internal"));
      await expect(liar.glob({ pattern: parseGlob("**"), root: "", limit: 1, filters })).rejects.toMatchObject(coded("internal"));
      await expect(liar.grep({ ...grep, filters })).rejects.toMatchObject(coded("internal"));
      await expect(liar.search?.paths("x", { filters })).rejects.toMatchObject(coded("internal"));
    }
    const fine = ["...x", "[...x]/.hidden", "a..b"].map(info);
    expect(await defineStorage(rawStorage({ list: async () => fine })).list()).toEqual(fine);
  });

  it("gets internal for a line over maxLineChars characters, which would fill a model's context", async () => {
    const answers = (text: string): Promise<unknown> =>
      defineStorage(rawStorage({ lines: async () => ({ info: info("a"), totalLines: 1, lines: [{ number: 1, text, clipped: false }] }) })).lines("a", page);
    for (const text of ["x".repeat(9), "x".repeat(10), "\u{1f600}".repeat(10)]) await expect(answers(text)).resolves.toBeDefined();
    for (const text of ["x".repeat(11), "\u{1f600}".repeat(11)]) await expect(answers(text)).rejects.toMatchObject(coded("internal"));
  });

  it("gets internal for a match without a place", async () => {
    for (const wrong of [{ line: 0 }, { line: "1" }, { column: 0 }, { column: 1.5 }, { text: undefined }]) {
      const hit = { path: "a", line: 1, column: 1, text: "x", ...wrong };
      await expect(defineStorage(rawStorage({ grep: async () => [hit as never] })).grep(grep)).rejects.toMatchObject(coded("internal"));
    }
  });
});
