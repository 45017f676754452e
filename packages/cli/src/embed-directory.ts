/** `hango embed`: finds the files, says what it leaves out, prints the module. */
import { readFile } from "node:fs/promises";
import { HangoError } from "hango";
import { embedModule } from "./embed-module.ts";
import { interrupted } from "./interrupt.ts";
import { counted, plain, print, say } from "./output.ts";
import { directoryAt, walkTree } from "./transfer/walk-tree.ts";

/** Files and bytes of one module: a compiler has to read it. */
const MAX_FILES = 20_000;
const MAX_BYTES = 64_000_000;

export async function embedDirectory(given: string): Promise<void> {
  const { files, leftOut, skipped } = await walkTree(await directoryAt(given), { signal: interrupted });
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (files.length > MAX_FILES || bytes > MAX_BYTES)
    throw new HangoError(
      "too_large",
      `${given} holds ${counted(files.length, "file")} and ${counted(bytes, "byte")}; a module takes ${MAX_FILES} files and ${MAX_BYTES} bytes. Embed a part of it.`,
    );
  const contents = new Map<string, Uint8Array>();
  for (const { location, path } of files) {
    interrupted.throwIfAborted();
    contents.set(path, await readFile(location));
  }
  for (const { path, reason } of skipped) say(`left out ${plain(path)}: ${reason}`);
  if (leftOut.length > 0) say(`left out by name: ${leftOut.join(", ")}`);
  await print(embedModule(contents));
  say(`${counted(files.length, "file")}, ${counted(bytes, "byte")}`);
}
