import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { playground } from "../../../../../test/support/playground.ts";
import type { ErrorCode } from "../../errors.ts";
import { parsePattern } from "../../text/pattern/pattern.ts";
import { encodeUtf8 } from "../../text/utf8.ts";

const coded = (code: ErrorCode) => ({ code });
const grepFor = (text: string) => ({ pattern: parsePattern(text), root: "", context: 0, limit: 100 });

describe("directories of an osStorage", () => {
  it("made for a file go with it; those that were there stay, and are not listed when empty", async () => {
    const { root, storage, place } = playground();
    place("theirs/keep/x");
    rmSync(join(root, "theirs/keep/x"));
    await storage.write("theirs/keep/mine/deep/a.txt", encodeUtf8("x"));
    await storage.write("theirs/keep/mine/b.txt", encodeUtf8("x"));
    await storage.delete("theirs/keep/mine/deep/a.txt");
    expect(readdirSync(join(root, "theirs/keep/mine"))).toEqual(["b.txt"]);
    await storage.delete("theirs/keep/mine/b.txt");
    expect(readdirSync(join(root, "theirs/keep"))).toEqual([]);
    expect([await storage.ls(""), await storage.stat("theirs")]).toEqual([[], undefined]);
    await expect(storage.read("theirs")).rejects.toMatchObject(coded("not_found"));
    await expect(storage.delete("theirs")).rejects.toMatchObject(coded("not_found"));
  });

  it("that a failed write made and another write uses go with the last file: one was left behind, empty", async () => {
    const { root, storage } = playground();
    const controller = new AbortController();
    const failing = storage.write("d/large.bin", new Uint8Array(3 * 1024 * 1024), { signal: controller.signal });
    while (!existsSync(join(root, "d"))) await new Promise(setImmediate);
    await storage.write("d/a.txt", encodeUtf8("x"));
    controller.abort(new Error("stop"));
    await expect(failing).rejects.toThrow("stop");
    await storage.delete("d/a.txt");
    expect(readdirSync(root)).toEqual([]);
  });

  it("that hold nothing give way to a file of their name; that hold anything do not", async () => {
    const { root, storage, place } = playground();
    mkdirSync(join(root, "a/b/c"), { recursive: true });
    mkdirSync(join(root, "a/d"));
    await storage.write("a", encodeUtf8("file"));
    expect(readFileSync(join(root, "a"), "utf8")).toBe("file");
    place("repo/.git/config");
    await expect(storage.write("repo", encodeUtf8("x"))).rejects.toMatchObject(coded("not_a_file"));
    expect(existsSync(join(root, "repo/.git/config"))).toBe(true);
  });

  it("of many files are listed in pages, byte for byte the same as at once", async () => {
    const { storage, place } = playground();
    for (let index = 0; index < 600; index++) place(`${index % 3 === 0 ? "d" : index % 3 === 1 ? "d-" : "d/e"}/${index}.txt`, "hit");
    const all = (await storage.list()).map(({ path }) => path);
    const paged: string[] = [];
    for (let after = ""; ; after = paged.at(-1) ?? "") {
      const page = (await storage.list({ limit: 70, ...(after === "" ? {} : { after }) })).map(({ path }) => path);
      paged.push(...page);
      if (page.length < 70) break;
    }
    expect([all.length, paged]).toEqual([600, all]);
    expect((await storage.grep({ ...grepFor("hit"), limit: 1_000 })).length).toBe(600);
    const stop = AbortSignal.abort(new Error("stop"));
    await expect(storage.list({ signal: stop })).rejects.toThrow("stop");
  });
});
