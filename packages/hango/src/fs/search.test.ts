import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorCode } from "../errors.ts";
import type { FileSystem } from "../filesystem.ts";
import { resolveLimits } from "../limits.ts";
import type { Storage } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { createFileSystem } from "./create-file-system.ts";

let storage: Storage;
let fs: FileSystem;
beforeEach(() => {
  storage = memoryStorage();
  fs = createFileSystem(storage);
});

const coded = (code: ErrorCode, message?: RegExp) => (message === undefined ? { code } : { code, message: expect.stringMatching(message) });

describe("glob and grep", () => {
  beforeEach(async () => {
    await fs.write("/docs/a.md", "# one\nhit\n");
    await fs.write("/docs/deep/b.md", "hit\r\nhit\n");
    await fs.write("/x.md", "nothing");
    await storage.write("z.bin", new Uint8Array([0]));
  });

  it("answers absolute paths in byte order, and says when some were dropped", async () => {
    expect(await fs.glob("*.md")).toEqual({ paths: ["/docs/a.md", "/docs/deep/b.md", "/x.md"], truncated: false, skipped: [] });
    expect(await fs.glob("*.md", { maxCount: 3 })).toMatchObject({ truncated: false });
    expect(await fs.glob("*.md", { maxCount: 2 })).toMatchObject({ paths: ["/docs/a.md", "/docs/deep/b.md"], truncated: true });
    expect((await fs.glob("/*.md", { root: "/docs" })).paths).toEqual(["/docs/a.md"]);
    expect((await fs.glob("*.txt", { root: "/docs" })).paths).toEqual([]);
  });

  it("finds lines that match, with path, line and column apart", async () => {
    const found = await fs.grep("hit$", { context: 1 });
    expect(found.matches.map(({ path, line, column }) => [path, line, column])).toEqual([
      ["/docs/a.md", 2, 1],
      ["/docs/deep/b.md", 1, 1],
      ["/docs/deep/b.md", 2, 1],
    ]);
    expect(found.matches[0]).toMatchObject({ before: ["# one"], after: [] });
    expect(found).toMatchObject({ truncated: false, skipped: ["/z.bin"] });
    expect(await fs.grep("hit", { maxCount: 3 })).toMatchObject({ truncated: false });
    expect(await fs.grep("hit", { maxCount: 2, path: "/docs" })).toMatchObject({ truncated: true, skipped: [] });
    expect((await fs.grep("HIT", { ignoreCase: true, include: "a.*" })).matches).toHaveLength(1);
    expect((await fs.grep("hit", { path: "/docs/a.md" })).matches).toHaveLength(1);
    expect((await fs.grep("h.t", { literal: true })).matches).toEqual([]);
  });

  it('searches what its own limits let be stored: "the preview says search it with grep, and grep skips it"', async () => {
    const limits = resolveLimits({ maxOffloadBytes: 32 * 1024 * 1024 });
    await storage.write("large_tool_results/call-1", encodeUtf8(`needle\n${`${"row of a long answer ".repeat(100)}\n`.repeat(8_500)}`));
    const found = await createFileSystem(storage, { limits }).grep("^needle", { path: "/large_tool_results" });
    expect(found).toMatchObject({ matches: [{ line: 1 }], skipped: [] });
    expect(await fs.grep("^needle", { path: "/large_tool_results" })).toMatchObject({ matches: [], skipped: ["/large_tool_results/call-1"] });
  });

  it("refuses a missing root, a file as glob root, and wrong numbers", async () => {
    await expect(fs.glob("*", { root: "/none" })).rejects.toMatchObject(coded("not_found"));
    await expect(fs.glob("*", { root: "/x.md" })).rejects.toMatchObject(coded("not_a_directory"));
    await expect(fs.grep("x", { path: "/none" })).rejects.toMatchObject(coded("not_found"));
    for (const maxCount of [0, -1, 1_001, 1.5]) {
      await expect(fs.glob("*", { maxCount })).rejects.toMatchObject(coded("invalid_argument", /1 to 1000/));
      await expect(fs.grep("x", { maxCount })).rejects.toMatchObject(coded("invalid_argument"));
    }
    for (const context of [-1, 21]) await expect(fs.grep("x", { context })).rejects.toMatchObject(coded("invalid_argument"));
    await fs.grep("x", { context: 20, maxCount: 1_000 });
    await expect(fs.grep("")).rejects.toMatchObject(coded("invalid_argument"));
    await expect(fs.glob("")).rejects.toMatchObject(coded("invalid_argument"));
    await expect(fs.grep("(")).rejects.toMatchObject(coded("invalid_pattern"));
    const empty = createFileSystem(memoryStorage());
    expect(await empty.glob("*")).toMatchObject({ paths: [] });
    expect(await empty.grep("x")).toMatchObject({ matches: [] });
  });

  it("counts its cap after visibility: 1000 of 1000 is whole, 1001 is truncated", async () => {
    const lines = (count: number): string => "m\n".repeat(count);
    await fs.write("/many", lines(1_000));
    expect(await fs.grep("^m$")).toMatchObject({ truncated: false });
    await fs.write("/many", lines(1_001));
    const over = await fs.grep("^m$");
    expect([over.matches.length, over.truncated]).toEqual([1_000, true]);
  });
});
