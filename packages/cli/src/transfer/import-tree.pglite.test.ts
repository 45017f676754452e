import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHangoError, processLimits } from "hango";
import { type Database, openDatabase, postgresStorage } from "hango/postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createGitIgnore } from "./git-ignore.ts";
import { type ImportReport, type ImportTarget, importTree } from "./import-tree.ts";
import { wantsOf } from "./wants.ts";
import { directoryAt } from "./walk-tree.ts";

const decoder = new TextDecoder();

describe("importTree", () => {
  let root = "";
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase("pglite:");
  });
  afterAll(async () => {
    await database?.close();
  });
  const target = (): ImportTarget => ({ files: postgresStorage(database), namespace: { tenantId: crypto.randomUUID(), agentId: crypto.randomUUID() } });
  beforeEach(async () => {
    root = await directoryAt(await mkdtemp(join(tmpdir(), "hango-import-")));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });
  const put = async (path: string, content: string | Uint8Array = "text\n"): Promise<void> => {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  };
  const pathsIn = async ({ files, namespace }: ImportTarget): Promise<readonly string[]> => (await files.scope(namespace).list()).map((info) => info.path);
  const reasonsOf = ({ skipped, left }: ImportReport): Readonly<Record<string, string>> =>
    Object.fromEntries([...skipped, ...left].map(({ path, reason }) => [path, reason]));

  it("takes texts, binaries and odd names as they are, and never writes over what is there", async () => {
    await put("app/[id]/page.tsx");
    await put("sp ace.txt");
    await put("👩‍👩‍👧.md");
    await put("bin.dat", new Uint8Array([0xff, 0, 0xfe]));
    const into = target();
    const storage = into.files.scope(into.namespace);
    await storage.write("sp ace.txt", new TextEncoder().encode("mine"));
    expect(await importTree(into, root)).toMatchObject({ files: 3, kept: 1, skipped: [] });
    expect(decoder.decode((await storage.read("sp ace.txt")).bytes)).toBe("mine");
    expect((await storage.read("bin.dat")).bytes).toEqual(new Uint8Array([0xff, 0, 0xfe]));
  });

  it("names what it can't take, with the reason, and goes on", async () => {
    await put("ok.md");
    await put("large_tool_results/x");
    await put("Memories/b.md");
    await put("new\nline.txt");
    await symlink("/etc/hostname", join(root, "link"));
    await symlink(".", join(root, "loop"));
    const report = await importTree(target(), root);
    expect(report.files).toBe(1);
    expect(reasonsOf(report)).toMatchObject({
      "/large_tool_results/x": expect.stringContaining("only hango itself") as unknown,
      "/Memories/b.md": expect.stringContaining("reserved") as unknown,
      "new\nline.txt": expect.stringContaining("Invalid path") as unknown,
      link: "a link",
      loop: "a link",
    });
  });

  it.runIf(process.platform === "linux")(
    "skips a name that is not UTF-8: it ended the import with “Error: ENOENT: no such file or directory, open '…/bad�.txt'”",
    async () => {
      await writeFile(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff]), Buffer.from(".txt")]), "x");
      await put("bad\uFFFD.txt", "another file, whose name is legal");
      const { files, skipped } = await importTree(target(), root);
      expect([files, skipped]).toEqual([1, [{ path: "bad\uFFFD.txt", reason: "its name is not UTF-8" }]]);
    },
  );

  it("takes a file at the limit and not one over it, and says so", async () => {
    const limit = processLimits.maxFileBytes;
    await put("at", new Uint8Array(limit));
    await put("over", new Uint8Array(limit + 1));
    const storage = target();
    expect((await importTree(storage, root)).skipped).toEqual([{ path: "over", reason: `over ${limit} bytes, HANGO_FS_MAX_FILE_BYTES` }]);
    expect(await pathsIn(storage)).toEqual(["at"]);
  });

  it("with atomic stores nothing when a file is too large: it said “imported 1 new file” and ended with 0", async () => {
    await put("a");
    await put("over", new Uint8Array(processLimits.maxFileBytes + 1));
    const storage = target();
    await expect(importTree(storage, root, { atomic: true })).rejects.toMatchObject({
      code: "invalid_content",
      message:
        "Nothing was stored, since all or nothing was asked for. 1 can't be stored: over (over 1048576 bytes, HANGO_FS_MAX_FILE_BYTES). Leave such files out with --exclude.",
    });
    expect(await pathsIn(storage)).toEqual([]);
    expect((await importTree(storage, root, { atomic: true, wants: wantsOf({ exclude: ["over"] }) })).files).toBe(1);
  });

  it("with atomic takes back what is stored when a file goes away in the middle", async () => {
    for (let i = 0; i < 5; i++) await put(`f${i}`);
    const storage = target();
    const onFound = (): void => rmSync(join(root, "f3"));
    await expect(importTree(storage, root, { atomic: true, onFound })).rejects.toMatchObject({
      message: expect.stringContaining("1 can't be stored: f3 (can't be read (ENOENT)).") as unknown,
    });
    expect(await pathsIn(storage)).toEqual([]);
  });

  it("goes on when a file goes away in the middle: it ended with ENOENT and a stack", async () => {
    for (let i = 0; i < 5; i++) await put(`f${i}`);
    const { files, skipped } = await importTree(target(), root, { onFound: () => rmSync(join(root, "f3"), { force: true }) });
    expect([files, skipped]).toEqual([4, [{ path: "f3", reason: "can't be read (ENOENT)" }]]);
  });

  it.runIf(process.platform === "linux")("never reads what a file has become meanwhile: a link, or a pipe that would hang it", async () => {
    for (const name of ["a", "b", "c"]) await put(name);
    const { files, skipped } = await importTree(target(), root, {
      onFound: () => {
        for (const name of ["a", "b"]) rmSync(join(root, name));
        symlinkSync("/etc/hostname", join(root, "a"));
        execFileSync("mkfifo", [join(root, "b")]);
      },
    });
    expect([files, skipped]).toEqual([
      1,
      [
        { path: "a", reason: "a link" },
        { path: "b", reason: "not a regular file" },
      ],
    ]);
  });

  it("honours .gitignore files where asked: nested ones, exceptions, those above, and the repository's own", async () => {
    await put(".git/info/exclude", "*.secret\n");
    await put(".gitignore", "*.log\n/build/\nnot-in-pkg\n");
    await put("pkg/.gitignore", "!keep.log\ntmp/\n/only-here\n");
    const files = [
      "a.log",
      "a.txt",
      "build/x",
      "sub/build/x",
      "pkg/keep.log",
      "pkg/other.log",
      "pkg/tmp/x",
      "pkg/only-here",
      "pkg/deep/only-here",
      "x.secret",
      "pkg/not-in-pkg",
    ];
    for (const path of files) await put(path);
    const whole = target();
    expect((await importTree(whole, root, { gitIgnore: createGitIgnore(root, { case: "as git" }) })).passedBy).toBe(7);
    expect(await pathsIn(whole)).toEqual([".gitignore", "a.txt", "pkg/.gitignore", "pkg/deep/only-here", "pkg/keep.log", "sub/build/x"]);
    const part = target();
    const pkg = join(root, "pkg");
    await importTree(part, pkg, { gitIgnore: createGitIgnore(pkg, { case: "as git" }), into: "in/" });
    expect(await pathsIn(part)).toEqual(["in/.gitignore", "in/deep/only-here", "in/keep.log"]);
  });

  it("takes what is included and not excluded", async () => {
    for (const path of ["a.md", "a.ts", "docs/b.md", "docs/old/c.md", "src/d.md"]) await put(path);
    const storage = target();
    await importTree(storage, root, { wants: wantsOf({ include: ["*.md"], exclude: ["docs/old/", "/src"] }) });
    expect(await pathsIn(storage)).toEqual(["a.md", "docs/b.md"]);
  });

  it.skipIf(process.getuid?.() === 0)("names a directory and a file that it may not read", async () => {
    await put("locked/a");
    await put("secret");
    await chmod(join(root, "locked"), 0);
    await chmod(join(root, "secret"), 0);
    const { skipped } = await importTree(target(), root);
    await chmod(join(root, "locked"), 0o700);
    expect(skipped.map(({ reason }) => reason)).toEqual(["can't be read (EACCES)", "can't be read (EACCES)"]);
  });

  it("leaves out what is never imported, and passes by the store that lies in the tree: it imported 380 files of its own database", async () => {
    await put("src/a.ts");
    await put("node_modules/x/index.js");
    await put("src/node_modules/y.js");
    await put(".git/config");
    await put("data/store/base/1");
    await put("data/store.lock");
    const storage = target();
    const report = await importTree(storage, root, { except: [join(root, "data/store"), join(root, "data/store.lock")] });
    expect(report.leftOut).toEqual([".git", "node_modules"]);
    expect(await pathsIn(storage)).toEqual(["src/a.ts"]);
  });

  it("says so when the directory is not there or is none", async () => {
    await put("file");
    await expect(directoryAt(join(root, "nowhere"))).rejects.toSatisfy((error) => isHangoError(error, "not_found"));
    await expect(directoryAt(join(root, "file"))).rejects.toSatisfy((error) => isHangoError(error, "not_a_directory"));
  });
});
