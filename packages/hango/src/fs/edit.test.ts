import { beforeEach, describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import type { ErrorCode } from "../errors.ts";
import type { FileSystem } from "../filesystem.ts";
import type { Storage } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { decodeText, encodeUtf8 } from "../text/utf8.ts";
import { createFileSystem } from "./create-file-system.ts";

let storage: Storage;
let fs: FileSystem;
beforeEach(() => {
  storage = memoryStorage();
  fs = createFileSystem(storage);
});

const coded = (code: ErrorCode, message?: RegExp) => (message === undefined ? { code } : { code, message: expect.stringMatching(message) });
const textOf = async (path: string): Promise<string | undefined> => decodeText((await storage.read(path)).bytes);

describe("edit", () => {
  it("replaces exact text, literally, and keeps the content type", async () => {
    await fs.write("/m", "\ufeffa $1\r\nb", { contentType: "text/x-own" });
    const result = await fs.edit("/m", "$1", "$& $$");
    expect(result).toMatchObject({ path: "/m", replacements: 1, sizeBytes: 13, diff: expect.stringContaining("+") });
    expect(await textOf("m")).toBe("\ufeffa $& $$\r\nb");
    expect(await fs.stat("/m")).toMatchObject({ contentType: "text/x-own", version: result.version });
  });

  it("leaves the file alone when the text is absent, ambiguous, empty or equal", async () => {
    const { version } = await fs.write("/a.txt", "aaa");
    await expect(fs.edit("/a.txt", "aa", "b")).rejects.toMatchObject(coded("ambiguous_match", /2/));
    await expect(fs.edit("/a.txt", "b", "c")).rejects.toMatchObject(coded("no_match"));
    await expect(fs.edit("/a.txt", "", "c", { replaceAll: true })).rejects.toMatchObject(coded("invalid_argument", /old_string.*empty/));
    await expect(fs.edit("/a.txt", "a", "a", { replaceAll: true })).rejects.toMatchObject(coded("invalid_argument"));
    await expect(fs.edit("/a.txt", "a", "\0", { replaceAll: true })).rejects.toMatchObject(coded("invalid_content"));
    await expect(fs.edit("/a.txt", 7 as never, "a")).rejects.toMatchObject(coded("invalid_argument"));
    expect(await fs.stat("/a.txt")).toMatchObject({ version });
    expect((await fs.edit("/a.txt", "a", "$$", { replaceAll: true })).replacements).toBe(3);
    expect(await textOf("a.txt")).toBe("$$$$$$");
  });

  it("refuses another version than the one given, a directory, binary and a result too large", async () => {
    const first = await fs.write("/f", "one");
    const second = await fs.edit("/f", "one", "two");
    await expect(fs.edit("/f", "two", "three", { ifVersion: first.version as string })).rejects.toMatchObject({
      code: "conflict",
      details: { currentVersion: second.version },
    });
    await fs.edit("/f", "two", "three", { ifVersion: second.version });
    await storage.write("d/bin", new Uint8Array([0xff]));
    await expect(fs.edit("/d", "a", "b")).rejects.toMatchObject(coded("not_a_file"));
    await expect(fs.edit("/", "a", "b")).rejects.toMatchObject(coded("not_a_file"));
    await expect(fs.edit("/d/bin", "a", "b")).rejects.toMatchObject(coded("not_text"));
    await expect(fs.edit("/none", "a", "b")).rejects.toMatchObject(coded("not_found"));
    const small = createFileSystem(storage, { limits: { maxFileBytes: 6 } });
    await small.edit("/f", "three", "sixsix");
    await expect(small.edit("/f", "sixsix", "sevenxx")).rejects.toMatchObject(coded("too_large"));
  });

  it("refuses a malformed version as a wrong argument, as a write does, where it was a conflict", async () => {
    await fs.write("/f", "one");
    for (const ifVersion of ["not a version!", "absent", "", 7]) {
      await expect(fs.edit("/f", "one", "two", { ifVersion: ifVersion as string })).rejects.toMatchObject(coded("invalid_argument", /ifVersion/));
      await expect(fs.edit("/none", "one", "two", { ifVersion: ifVersion as string })).rejects.toMatchObject(coded("invalid_argument"));
    }
    expect(await textOf("f")).toBe("one");
  });

  it("answers conflict when another write comes between its read and its write", async () => {
    const racing = createFileSystem(
      defineStorage({
        name: "racing",
        list: storage.list,
        delete: storage.delete,
        write: storage.write,
        read: async (path) => {
          const data = await storage.read(path);
          await storage.write(path, encodeUtf8("theirs"));
          return data;
        },
      }),
    );
    await fs.write("/f", "ours");
    await expect(racing.edit("/f", "ours", "mine")).rejects.toMatchObject(coded("conflict"));
    expect(await textOf("f")).toBe("theirs");
  });

  it("lets one of two edits at once win", async () => {
    await fs.write("/r.txt", "50\n75\n");
    const results = await Promise.allSettled([fs.edit("/r.txt", "50", "FIFTY"), fs.edit("/r.txt", "75", "SEVENTY")]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
  });

  it("lets others run between its steps: an edit of half a million lines held the event loop for half a second", async () => {
    await fs.write("/lines", "a\n".repeat(512 * 1024));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const { replacements, diff } = await fs.edit("/lines", "a", "b", { replaceAll: true });
    clearImmediate(immediate);
    expect([replacements, diff.length <= 2_000, turns >= 3]).toEqual([512 * 1024, true, true]);
  });
});
