import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { describe, expect, it } from "vitest";

const entry = fileURLToPath(new URL("../packages/hango/src/index.ts", import.meta.url));
const MAX_GZIP_BYTES = 60_000;

/** The core entry with all it depends on, as a browser would load it; and every Node module that something in it asks for. */
async function bundleForBrowser(): Promise<{ readonly code: string; readonly nodeImports: readonly string[] }> {
  const nodeImports: string[] = [];
  const result = (await build({
    configFile: false,
    logLevel: "error",
    // As an application, not as a library: of a library's ES module Vite minifies names only and leaves every space for the next bundler.
    build: {
      write: false,
      minify: true,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
    plugins: [
      {
        name: "note-node-imports",
        enforce: "pre",
        resolveId(id, importer) {
          if (id.startsWith("node:") || builtinModules.includes(id)) nodeImports.push(`${id} from ${importer}`);
          return null;
        },
      },
    ],
  })) as Rolldown.RolldownOutput;
  const chunks = result.output.map((part) => (part.type === "chunk" ? part.code : ""));
  return { code: chunks.join("\n"), nodeImports };
}

describe("the core entry in a browser", () => {
  it("imports nothing of Node, and is at most 60 kB gzipped with everything it depends on", async () => {
    const { code, nodeImports } = await bundleForBrowser();
    expect(nodeImports).toEqual([]);
    expect(code).toContain("hango.HangoError");
    expect(gzipSync(code).length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
  });
});
