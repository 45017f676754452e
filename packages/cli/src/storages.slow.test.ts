import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embeddedStorage, type EmbeddedFiles } from "hango";
import { ensureBuilt, runHango } from "./built.test-support.ts";

const root = resolve(import.meta.dirname, "../../..");
let home = "";
beforeAll(async () => {
  await ensureBuilt();
  home = await mkdtemp(join(tmpdir(), "hango-storages-"));
}, 300_000);
afterAll(() => rm(home, { recursive: true, force: true }));

describe("hango embed", () => {
  it("prints a module of a directory, byte for byte and the same each time, and says what it leaves out", async () => {
    const directory = join(home, "docs");
    await mkdir(join(directory, "sub/node_modules/x"), { recursive: true });
    await writeFile(join(directory, "faq.md"), "# FAQ\r\nOpen `9` to ${5}\n");
    await writeFile(join(directory, "sub/logo.png"), Uint8Array.of(137, 80, 0, 255));
    await writeFile(join(directory, "sub/node_modules/x/index.js"), "no");
    await symlink("/etc/passwd", join(directory, "link"));
    const [first, second] = [await runHango(["embed", directory]), await runHango(["embed", "."], { cwd: directory })];
    expect(first.stdout).toBe(second.stdout);
    expect([first.code, first.stderr]).toEqual([0, "hango: left out link: a link\nhango: left out by name: node_modules\nhango: 2 files, 28 bytes\n"]);
    const module = join(home, "corpus.ts");
    await writeFile(module, first.stdout);
    const { files } = (await import(/* @vite-ignore */ module)) as { readonly files: EmbeddedFiles };
    const corpus = embeddedStorage(files);
    expect((await corpus.list()).map(({ path, contentType }) => [path, contentType])).toEqual([
      ["faq.md", "text/markdown"],
      ["sub/logo.png", "application/octet-stream"],
    ]);
    expect([...(await corpus.read("sub/logo.png")).bytes]).toEqual([137, 80, 0, 255]);
  });

  it("ends with 3 for a directory that is not there", async () => {
    expect((await runHango(["embed", join(home, "none")])).code).toBe(3);
  });
});

describe("hango conformance", () => {
  it("runs the suite on the example's own backend, and names what it skips", async () => {
    const { code, stdout, stderr } = await runHango(["conformance", "./examples/own-backend.ts"], { cwd: root });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^skip {2}apply is absent/m);
    expect(stdout).toMatch(/\.\/examples\/own-backend\.ts: \d{2,} passed, 0 failed, \d+ skipped\n$/);
  });

  it("ends with 1 and names each case that fails, with the cause and the seed; a case that hangs is cut off", async () => {
    const module = join(home, "broken.mjs");
    await writeFile(
      module,
      `import { defineStorage, memoryStorage } from ${JSON.stringify(pathToFileURL(join(root, "packages/hango/dist/index.mjs")).href)};
export const subject = { name: "broken", create: async (files = {}) => {
  const { list, read, write, delete: remove } = memoryStorage();
  const storage = defineStorage({ name: "broken", list, write, delete: () => new Promise(() => {}), read: async (path) => { const { info } = await read(path); return { info, bytes: new Uint8Array() }; } });
  for (const [path, text] of Object.entries(files)) await storage.write(path, new TextEncoder().encode(text));
  return storage;
} };`,
    );
    const ran = await runHango(["conformance", module, "--only", "content:", "--timeout-ms", "5000", "--seed", "7"]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^FAIL {2}content: .*\n {6}/m);
    expect(ran.stdout).toMatch(/broken: \d+ passed, [1-9]\d* failed, \d+ skipped\n$/);
    expect(ran.stderr).toContain("--seed 7 makes the same generated cases again");
    const hung = await runHango(["conformance", module, "--only", "delete", "--timeout-ms", "50", "--json"]);
    const { failed } = JSON.parse(hung.stdout) as { readonly failed: readonly { readonly reason: string }[] };
    expect(failed.map(({ reason }) => reason)).toContain("it took longer than 50 ms (--timeout-ms)");
  });

  it("says what is wrong with a module that is not there, does not load or exports no create", async () => {
    const [empty, torn] = [join(home, "empty.mjs"), join(home, "torn.mjs")];
    await writeFile(empty, "export const x = 1;");
    await writeFile(torn, "export const = 1;");
    expect(await runHango(["conformance", join(home, "none.mjs")])).toMatchObject({ code: 3, stderr: expect.stringContaining("does not exist") });
    expect(await runHango(["conformance", empty])).toMatchObject({ code: 2, stderr: expect.stringContaining("must export create") });
    expect(await runHango(["conformance", torn])).toMatchObject({ code: 2, stderr: expect.stringContaining("can't be loaded") });
  });

  it("ends although the module leaves a timer running, which held it up for ever, and names a promise that nobody waited for, which ended it with a stack", async () => {
    const module = join(home, "restless.mjs");
    await writeFile(
      module,
      `import { memoryStorage } from ${JSON.stringify(pathToFileURL(join(root, "packages/hango/dist/index.mjs")).href)};
setInterval(() => {}, 1000);
export const create = async (files = {}) => {
  Promise.reject(new Error("not awaited"));
  const storage = memoryStorage();
  for (const [path, text] of Object.entries(files)) await storage.write(path, new TextEncoder().encode(text));
  return storage;
};`,
    );
    const ran = await runHango(["conformance", module, "--only", "content:"]);
    expect([ran.code, ran.stderr]).toEqual([1, "hango: a promise was rejected and nobody waited for it: not awaited\n"]);
    expect(ran.stdout).toMatch(/ passed, 0 failed, /);
    expect(await runHango(["conformance", module, "--only", "no such case"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("No case's name") as unknown,
    });
    await writeFile(module, "throw undefined;");
    expect(await runHango(["conformance", module])).toMatchObject({ code: 2, stderr: expect.stringContaining("can't be loaded: undefined") as unknown });
  });
});
