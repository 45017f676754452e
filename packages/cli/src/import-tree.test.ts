import { rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHangoError, memoryStorage, processLimits } from "hango";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importTree } from "./import-tree.ts";
import { directoryAt } from "./walk-tree.ts";

const decoder = new TextDecoder();

describe("importTree", () => {
  let root = "";
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
  const pathsIn = async (storage: ReturnType<typeof memoryStorage>): Promise<readonly string[]> => (await storage.list()).map((info) => info.path);

  it("takes texts, binaries and odd names as they are, and never writes over what is there", async () => {
    await put("app/[id]/page.tsx");
    await put("sp ace.txt");
    await put("👩‍👩‍👧.md");
    await put("bin.dat", new Uint8Array([0xff, 0, 0xfe]));
    const storage = memoryStorage();
    await storage.write("sp ace.txt", new TextEncoder().encode("mine"));
    expect(await importTree(storage, root)).toMatchObject({ files: 3, alreadyThere: 1, skipped: [] });
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
    const storage = memoryStorage();
    const { files, skipped } = await importTree(storage, root);
    expect(files).toBe(1);
    expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toMatchObject({
      large_tool_results: expect.stringContaining("only hango itself") as unknown,
      Memories: expect.stringContaining("reserved") as unknown,
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
      const { files, skipped } = await importTree(memoryStorage(), root);
      expect([files, skipped]).toEqual([1, [{ path: "bad\uFFFD.txt", reason: "its name is not UTF-8" }]]);
    },
  );

  it("takes a file at the limit and not one over it, and says so", async () => {
    const limit = processLimits.maxFileBytes;
    await put("at", new Uint8Array(limit));
    await put("over", new Uint8Array(limit + 1));
    const storage = memoryStorage();
    expect((await importTree(storage, root)).skipped).toEqual([{ path: "over", reason: `over ${limit} bytes` }]);
    expect(await pathsIn(storage)).toEqual(["at"]);
  });

  it("goes on when a file goes away in the middle: it ended with ENOENT and a stack", async () => {
    for (let i = 0; i < 501; i++) await put(`f${String(i).padStart(3, "0")}`);
    const storage = memoryStorage();
    const { files, skipped } = await importTree(storage, root, { onProgress: () => rmSync(join(root, "f500"), { force: true }) });
    expect([files, skipped]).toEqual([500, [{ path: "f500", reason: "can't be read (ENOENT)" }]]);
  });

  it.skipIf(process.getuid?.() === 0)("names a directory and a file that it may not read", async () => {
    await put("locked/a");
    await put("secret");
    await chmod(join(root, "locked"), 0);
    await chmod(join(root, "secret"), 0);
    const { skipped } = await importTree(memoryStorage(), root);
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
    const storage = memoryStorage();
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
