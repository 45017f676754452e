import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileData } from "hango";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { INCOMPLETE_MARK, PARTIAL } from "./incomplete-mark.ts";
import { writeTree } from "./write-tree.ts";

const at = new Date("2020-01-02T03:04:05.678Z");
const file = (path: string, text = path): FileData => {
  const bytes = Buffer.from(text);
  return { bytes, info: { path, sizeBytes: bytes.length, contentType: "text/plain", version: "1", updatedAt: at } };
};
async function* some(...files: readonly FileData[]): AsyncGenerator<FileData> {
  yield* files;
}
const everything = (root: string): readonly string[] => readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();

describe("writeTree", () => {
  let home = "";
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "hango-export-")));
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  it("writes files with their times, and nothing else", async () => {
    const to = join(home, "new/place");
    const report = await writeTree(some(file("a-b"), file("a/b/c.txt"), file("a/b/d.txt"), file("a/e"), file("empty", ""), file("深い/😀")), to);
    expect(report).toEqual({ files: 6, bytes: 35, skipped: [] });
    expect(everything(to)).toEqual(["a", "a-b", "a/b", "a/b/c.txt", "a/b/d.txt", "a/e", "empty", "深い", "深い/😀"]);
    expect(readFileSync(join(to, "a/b/c.txt"), "utf8")).toBe("a/b/c.txt");
    expect(statSync(join(to, "a/e")).mtime).toEqual(at);
  });

  it("says so when the disk is full: it ended with a stack and “ENOSPC: no space left on device, write”", async () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
    async function* cut(): AsyncGenerator<FileData> {
      yield file("a");
      throw full;
    }
    const to = join(home, "to");
    await expect(writeTree(cut(), to)).rejects.toMatchObject({
      code: "internal",
      message: `${to} takes no more after 1 file; they are whole, but not all of them: the disk is full (ENOSPC).`,
      cause: full,
    });
    expect(everything(to)).toEqual(["a"]);
  });

  it("refuses a directory that is not empty, and with overwrite replaces files of the same name and leaves others", async () => {
    writeFileSync(join(home, "mine"), "mine");
    writeFileSync(join(home, "other"), "other");
    await expect(writeTree(some(file("mine", "new")), home)).rejects.toMatchObject({
      code: "already_exists",
      message: expect.stringContaining("is not empty") as unknown,
    });
    expect(readFileSync(join(home, "mine"), "utf8")).toBe("mine");
    await writeTree(some(file("mine", "new")), home, { overwrite: true });
    expect([readFileSync(join(home, "mine"), "utf8"), readFileSync(join(home, "other"), "utf8")]).toEqual(["new", "other"]);
    await expect(writeTree(some(), join(home, "mine"))).rejects.toMatchObject({ code: "not_a_directory" });
  });

  it("never writes through a link, and says what stands in the way", async () => {
    const [to, outside] = [join(home, "to"), join(home, "outside")];
    for (const directory of [to, outside, join(to, "there")]) mkdirSync(directory);
    symlinkSync(outside, join(to, "dir"));
    writeFileSync(join(outside, "target"), "safe");
    symlinkSync(join(outside, "target"), join(to, "link"));
    writeFileSync(join(to, "plain"), "a file");
    const { skipped } = await writeTree(some(file("dir/x"), file("link", "own"), file("plain/x"), file("there")), to, { overwrite: true });
    expect(skipped).toEqual([
      { path: "dir/x", reason: "/dir is a link" },
      { path: "plain/x", reason: "/plain is a file" },
      { path: "there", reason: "a directory is there" },
    ]);
    expect(everything(outside)).toEqual(["target"]);
    expect(readFileSync(join(outside, "target"), "utf8")).toBe("safe");
    expect(readFileSync(join(to, "link"), "utf8")).toBe("own");
  });

  it("takes links of its own names away: the mark emptied the file that one of them led to", async () => {
    const [to, outside] = [join(home, "to"), join(home, "outside")];
    for (const directory of [to, outside]) mkdirSync(directory);
    for (const name of [INCOMPLETE_MARK, PARTIAL]) {
      writeFileSync(join(outside, name), "safe");
      symlinkSync(join(outside, name), join(to, name));
    }
    expect(await writeTree(some(file("a"), file("b")), to, { overwrite: true })).toMatchObject({ files: 2, skipped: [] });
    expect(everything(outside).map((name) => readFileSync(join(outside, name), "utf8"))).toEqual(["safe", "safe"]);
    expect(everything(to)).toEqual(["a", "b"]);
  });

  it("names a file that is called as its mark, which it counted and then removed", async () => {
    const { files, skipped } = await writeTree(some(file(INCOMPLETE_MARK), file("a"), file(`sub/${INCOMPLETE_MARK}`)), home);
    expect([files, skipped]).toEqual([2, [{ path: INCOMPLETE_MARK, reason: "the export itself uses this name" }]]);
    expect(everything(home)).toEqual(["a", "sub", `sub/${INCOMPLETE_MARK}`]);
  });

  it.each([".git/config", "sub/.GIT/hooks/post-commit", ".git", "a/git~1/config", ".g\u200cit/config"])(
    "never writes %j, which git would run in the directory: an agent's .git/config was written over the user's own",
    async (path) => {
      expect((await writeTree(some(file(path), file("z/.gitignore")), home)).skipped).toMatchObject([{ path }]);
      expect(everything(home)).toEqual(["z", "z/.gitignore"]);
    },
  );

  it.runIf(process.platform === "linux")("stays inside when a directory is exchanged for a link in the middle", async () => {
    const [to, outside] = [join(home, "to"), join(home, "outside")];
    mkdirSync(outside);
    async function* exchanged(): AsyncGenerator<FileData> {
      yield file("dir/a");
      rmSync(join(to, "dir"), { recursive: true });
      symlinkSync(outside, join(to, "dir"));
      yield file("dir/sub/b");
      yield file("e");
      yield file("dir/c");
    }
    expect((await writeTree(exchanged(), to)).skipped).toEqual([
      { path: "dir/sub/b", reason: "can't be written (ENOENT)" },
      { path: "dir/c", reason: "/dir is a link" },
    ]);
    expect(everything(outside)).toEqual([]);
  });

  it("leaves only whole files and no mark when it is aborted or fails; the mark stands while it runs", async () => {
    const stop = new AbortController();
    let marked = false;
    async function* many(): AsyncGenerator<FileData> {
      for (let n = 0; n < 100; n++) {
        if (n === 50) stop.abort(new Error("enough"));
        marked = existsSync(join(home, INCOMPLETE_MARK));
        yield file(`f${String(n).padStart(3, "0")}`);
      }
    }
    await expect(writeTree(many(), home, { signal: stop.signal })).rejects.toThrow("enough");
    expect(marked).toBe(true);
    expect(everything(home)).toEqual(Array.from({ length: 50 }, (_, n) => `f${String(n).padStart(3, "0")}`));
    for (const name of everything(home)) expect(readFileSync(join(home, name), "utf8")).toBe(name);
  });

  it("says that what is there was cut short, when it was killed", async () => {
    writeFileSync(join(home, INCOMPLETE_MARK), "");
    await expect(writeTree(some(), home)).rejects.toMatchObject({ message: expect.stringContaining("holds an export that was cut short") as unknown });
    await writeTree(some(file("a")), home, { overwrite: true });
    expect(everything(home)).toEqual(["a"]);
  });

  it.skipIf(process.getuid?.() === 0)("names a file that it may not write, and goes on", async () => {
    mkdirSync(join(home, "locked"));
    chmodSync(join(home, "locked"), 0o500);
    const { files, skipped } = await writeTree(some(file("locked/x"), file("ok")), home, { overwrite: true });
    chmodSync(join(home, "locked"), 0o700);
    expect([files, skipped]).toEqual([1, [{ path: "locked/x", reason: "can't be written (EACCES)" }]]);
  });
});
