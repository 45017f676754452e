import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../errors.ts";
import { type FileInfo, type FilePath } from "../storage.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { defineStorage } from "./define-storage.ts";
import { rawStorage } from "./raw.test-support.ts";

const coded = (code: ErrorCode) => ({ code });
const page = { offset: 1, limit: 10, column: 1, maxLineChars: 100 };

describe("an accelerator of the implementation's own", () => {
  const info = (path: string): FileInfo => ({ path, sizeBytes: 0, contentType: "text/plain", version: "1" });
  const hidden = [{ hide: ["hidden/", "secret"], show: ["hidden/mine/"] }];
  const file = (path: string) => ({ kind: "file", info: info(path) }) as const;
  const directory = (path: string) => ({ kind: "directory", path }) as const;

  it("gives way while it holds paths against a hostile pattern", async () => {
    const paths = Array.from({ length: 1_000 }, (_, at) => `${"a".repeat(240)}/${"a".repeat(240)}${String(at).padStart(4, "0")}`);
    const pattern = parseGlob(`{${Array.from({ length: 16 }, (_, at) => `*a${"*a".repeat(10)}*${at}x/*`).join(",")},**}`);
    const hits = paths.map((path) => ({ path, line: 1, column: 1, text: "x" }));
    const storage = defineStorage(rawStorage({ glob: async () => paths, grep: async () => hits }));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    expect(await storage.glob({ pattern, root: "", limit: 2_000 })).toHaveLength(1_000);
    const globTurns = turns;
    expect(await storage.grep({ pattern: parsePattern("x"), include: pattern, root: "", context: 0, limit: 2_000 })).toHaveLength(1_000);
    clearImmediate(immediate);
    expect([globTurns > 3, turns - globTurns > 3]).toEqual([true, true]);
  });

  it("shows no hidden file by stat, nor a directory of which nothing can show", async () => {
    const storage = defineStorage(rawStorage({ stat: async (path: FilePath | "") => (path.endsWith("d") ? directory(path) : file(path)) }));
    expect(await storage.stat("secret", { filters: hidden })).toBeUndefined();
    expect(await storage.stat("hidden/other/d", { filters: hidden })).toBeUndefined();
    expect(await storage.stat("hidden/mine/d", { filters: hidden })).toEqual(directory("hidden/mine/d"));
    expect(await storage.stat("d", { filters: [{ hide: ["/"], show: ["d/x"] }] })).toEqual(directory("d"));
    expect(await storage.stat("d", { filters: [{ hide: [], hideAnyCase: ["D/"], show: [] }] })).toBeUndefined();
    expect(await storage.stat("", { filters: [{ hide: ["/"], show: [] }] })).toEqual(directory(""));
  });

  it("answers ls in the order of names, a directory counted with its slash, within after and limit", async () => {
    const storage = defineStorage(rawStorage({ ls: async () => [file("a-"), file("a.txt"), directory("a"), file("a0"), directory("hidden"), file("secret")] }));
    const names = async (options: object): Promise<string[]> =>
      (await storage.ls("", options)).map((entry) => (entry.kind === "file" ? entry.info.path : `${entry.path}/`));
    expect(await names({})).toEqual(["a-", "a.txt", "a/", "a0", "hidden/", "secret"]);
    expect(await names({ filters: [{ hide: ["hidden/", "secret"], show: [] }], after: "a.txt", limit: 5 })).toEqual(["a/", "a0"]);
    expect(await names({ after: "a/", limit: 1 })).toEqual(["a0"]);
    const liar = defineStorage(rawStorage({ ls: async () => [directory("a"), file("a.txt")] }));
    await expect(liar.ls("")).rejects.toMatchObject(coded("internal"));
    const deep = defineStorage(rawStorage({ ls: async () => [file("a/b")] }));
    await expect(deep.ls("")).rejects.toMatchObject(coded("internal"));
  });

  it("answers glob and grep within root, pattern, filters and limit", async () => {
    const paths = ["docs/a.md", "docs/b.txt", "hidden/x.md", "other/a.md"];
    const storage = defineStorage(
      rawStorage({ glob: async () => paths, grep: async () => paths.flatMap((path) => [1, 2].map((line) => ({ path, line, column: 1, text: "x" }))) }),
    );
    const glob = { pattern: parseGlob("*.md"), root: "", limit: 10 };
    expect(await storage.glob({ ...glob, filters: hidden })).toEqual(["docs/a.md", "other/a.md"]);
    expect(await storage.glob({ ...glob, root: "docs" })).toEqual(["docs/a.md"]);
    expect(await storage.glob({ ...glob, limit: 1 })).toEqual(["docs/a.md"]);
    const grep = { pattern: parsePattern("x"), root: "", context: 0, limit: 10 };
    const places = async (query: object): Promise<string[]> => (await storage.grep({ ...grep, ...query })).map(({ path, line }) => `${path}:${line}`);
    expect(await places({ filters: hidden, include: parseGlob("*.md"), limit: 3 })).toEqual(["docs/a.md:1", "docs/a.md:2", "other/a.md:1"]);
    expect(await places({ root: "docs/b.txt" })).toEqual(["docs/b.txt:1", "docs/b.txt:2"]);
  });

  it("is refused when grep answers out of order or lines are not those asked for", async () => {
    const hit = (path: string, line: number) => ({ path, line, column: 1, text: "x" });
    const query = { pattern: parsePattern("x"), root: "", context: 0, limit: 10 };
    for (const hits of [
      [hit("b", 1), hit("a", 1)],
      [hit("a", 2), hit("a", 1)],
      [hit("a", 1), hit("a", 1)],
    ]) {
      await expect(defineStorage(rawStorage({ grep: async () => hits })).grep(query)).rejects.toMatchObject(coded("internal"));
    }
    const lines = [{ number: 2, text: "x", clipped: false }];
    const storage = defineStorage(rawStorage({ lines: async () => ({ info: info("a"), totalLines: 2, lines }) }));
    await expect(storage.lines("a", page)).rejects.toMatchObject(coded("internal"));
    expect((await storage.lines("a", { ...page, offset: 2 })).lines).toEqual(lines);
  });
});
