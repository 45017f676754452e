import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "tsdown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "packages/hango");
// Below the repository's node_modules, so that the built files find their dependencies.
const home = join(root, "node_modules/.cache/hango-package-test");
const bin = (name: string): string => join(root, "node_modules/.bin", name);

/** A fresh build in a place of its own: the working dist may be stale, and another test may be running it. */
beforeAll(async () => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  await build({ cwd: source, config: join(source, "tsdown.config.ts"), outDir: join(home, "dist"), logLevel: "silent" });
  for (const file of ["package.json", "LICENSE"]) cpSync(join(source, file), join(home, file));
}, 120_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("the packed library", () => {
  it("passes publint", async () => {
    const { messages, pkg } = await publint({ pkgDir: home, strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("has types that every ESM consumer can resolve", () => {
    const tarball = execFileSync("npm", ["pack", "--silent", "--ignore-scripts"], { cwd: home, encoding: "utf8" }).trim();
    const { status, stdout } = spawnSync(bin("attw"), [join(home, tarball), "--profile", "esm-only", "--format", "ascii"], { cwd: home, encoding: "utf8" });
    expect(status, stdout).toBe(0);
  });

  it("has a file for each export, and loads it under plain Node by import and by require", () => {
    const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest;
    for (const target of Object.values(manifest.exports)) {
      if (typeof target === "string") continue;
      expect(existsSync(join(home, target.types)), target.types).toBe(true);
      const file = JSON.stringify(join(home, target.default));
      execFileSync("node", ["--input-type=module", "-e", `await import(${file})`], { cwd: home });
      execFileSync("node", ["--input-type=commonjs", "-e", `require(${file})`], { cwd: home });
    }
  }, 120_000);

  it("keeps the module structure, with the worker's own file and without tests", () => {
    const files = readdirSync(join(home, "dist"), { recursive: true, encoding: "utf8" });
    expect(files).toContain(join("storages", "postgres", "driver", "pglite-worker.mjs"));
    expect(files.filter((file) => file.includes(".test."))).toEqual([]);
  });
});
