import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { describe, expect, it } from "vitest";
import { importRules } from "../tools/import-rules.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

async function violations(baseDir: string, folders: readonly string[], options: ICruiseOptions = {}): Promise<readonly string[]> {
  const { output } = await cruise(
    [...folders],
    { ...importRules, baseDir, ...options },
    undefined,
    options.tsConfig ? { tsConfig: extractTSConfig(join(root, "tsconfig.json")) } : {},
  );
  return (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

/** One file with one import, cruised in a tree of its own. */
async function one(from: string, to: string): Promise<readonly string[]> {
  const baseDir = mkdtempSync(join(tmpdir(), "hango-imports-"));
  try {
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(baseDir, path)), { recursive: true });
      writeFileSync(join(baseDir, path), text);
    };
    if (to.startsWith("node:")) write(`packages/hango/src/${from}`, `import * as it from "${to}";\nexport const a = it;\n`);
    else {
      const up = "../".repeat(from.split("/").length - 1) || "./";
      write(`packages/hango/src/${to}`, "export const it = 1;\n");
      write(`packages/hango/src/${from}`, `import type { it } from "${up}${to}";\nexport type A = typeof it;\n`);
    }
    return await violations(baseDir, ["packages"]);
  } finally {
    rmSync(baseDir, { recursive: true, force: true });
  }
}

describe("the import rules", () => {
  it("hold in the whole repository, with no cycle, type-only imports included", async () => {
    expect(
      await violations(root, ["packages/hango/src", "packages/hango/scripts", "packages/cli/src", "packages/bench/src", "test"], {
        tsConfig: { fileName: "tsconfig.json" },
      }),
    ).toEqual([]);
  });

  it.each([
    ["path/path.ts", "node:fs"],
    ["text/lines.ts", "fs/read.ts"],
    ["contract/define-storage.ts", "fs/read.ts"],
    ["fs/read.ts", "session/session.ts"],
    ["storages/memory.ts", "fs/create-file-system.ts"],
    ["storages/memory.ts", "storages/embedded.ts"],
    ["storages/postgres/sql.ts", "node:fs"],
    ["storages/osfs.ts", "node:worker_threads"],
    ["layers/overlay/overlay.ts", "layers/mount.ts"],
    ["layers/guard.ts", "session/session.ts"],
    ["session/session.ts", "layers/mount.ts"],
    ["tools/offload.ts", "layers/guard.ts"],
    ["adapters/ai-sdk.ts", "adapters/langchain.ts"],
    ["testing/conformance.ts", "storages/memory.ts"],
    ["testing/conformance.ts", "http/index.ts"],
    ["telemetry/with-telemetry.ts", "fs/read.ts"],
    ["http/door.ts", "storages/postgres/index.ts"],
    ["index.ts", "storages/postgres/index.ts"],
    ["index.ts", "namespace/context.ts"],
    ["errors.ts", "path/path.ts"],
    ["fs/read.ts", "fs/read.test.ts"],
  ])("refuse an import of %s -> %s", async (from, to) => {
    expect(await one(from, to)).not.toEqual([]);
  });

  it.each([
    ["text/glob.ts", "path/path.ts"],
    ["storage.ts", "text/glob.ts"],
    ["storages/postgres/sql.ts", "contract/define-storage.ts"],
    ["storages/postgres/sql.ts", "storages/postgres/driver/driver.ts"],
    ["layers/guard.ts", "layers/guard/check.ts"],
    ["session/session.ts", "layers/guard.ts"],
    ["storages/postgres/driver/pglite.ts", "node:worker_threads"],
    ["fs/read.test.ts", "storages/memory.ts"],
  ])("grant an import of %s -> %s", async (from, to) => {
    expect(await one(from, to)).toEqual([]);
  });
});
