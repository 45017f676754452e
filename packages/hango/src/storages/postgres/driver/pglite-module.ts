/** PGlite's WebAssembly, compiled once for the process: threads share it, so that a replacement starts in half the time. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

let compiled: Promise<WebAssembly.Module | undefined> | undefined;

/** Undefined where the file is not beside the package's entry: the thread then compiles its own, and says itself what is missing. */
export function pgliteModule(): Promise<WebAssembly.Module | undefined> {
  return (compiled ??= compileModule());
}

async function compileModule(): Promise<WebAssembly.Module | undefined> {
  try {
    const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
    return await WebAssembly.compile(await readFile(join(dirname(entry), "pglite.wasm")));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "MODULE_NOT_FOUND" || code === "ENOENT") return undefined;
    throw error;
  }
}
