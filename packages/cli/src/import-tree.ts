/** Reads a directory into a storage, a few megabytes at a time, without ever writing over what is there. */
import type { Stats } from "node:fs";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { HangoError, isHangoError, type Mutation, type Storage, placeOf, processLimits, validatePath } from "hango";

/** Never worth an agent's time, and `.git` never leaves its repository. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules", "dist", ".hango"]);
/** Limits: files of one import, bytes and files of one transaction. */
const MAX_FILES = 20_000;
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_FILES = 500;

export interface ImportReport {
  readonly files: number;
  readonly bytes: number;
  readonly alreadyThere: number;
  /** What was left out, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Imports every regular file below `directory`. Errors: not_found when it is not a directory; too_large over 20,000 files. */
export async function importTree(
  storage: Storage,
  directory: string,
  options: { readonly onProgress?: (files: number, bytes: number) => void } = {},
): Promise<ImportReport> {
  const apply = storage.apply;
  if (apply === undefined) throw new HangoError("unsupported", `${storage.name} can't import a tree in one piece.`);
  const held = new Set((await storage.list()).map((info) => info.path));
  const skipped: { path: string; reason: string }[] = [];
  let [files, bytes, alreadyThere] = [0, 0, 0];
  let batch: Extract<Mutation, { kind: "create" }>[] = [];
  let batchBytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await apply(batch);
    files += batch.length;
    bytes += batchBytes;
    batch = [];
    batchBytes = 0;
    options.onProgress?.(files, bytes);
  };
  for await (const path of walk(await rootOf(directory), skipped)) {
    if (held.has(path)) {
      alreadyThere++;
      continue;
    }
    const content = await readFile(join(directory, path));
    if (content.length > processLimits.maxFileBytes) {
      skipped.push({ path, reason: `over ${processLimits.maxFileBytes} bytes` });
      continue;
    }
    batch.push({ kind: "create", path, bytes: content });
    batchBytes += content.length;
    if (files + batch.length > MAX_FILES) throw new HangoError("too_large", `${directory} holds more than ${MAX_FILES} files. Import a smaller directory.`);
    if (batch.length === BATCH_FILES || batchBytes >= BATCH_BYTES) await flush();
  }
  await flush();
  return { files, bytes, alreadyThere, skipped };
}

async function rootOf(directory: string): Promise<string> {
  const root = await realpath(directory).catch((cause: unknown) => {
    throw new HangoError("not_found", `${directory} does not exist. Name a directory to import.`, { cause });
  });
  if (!(await lstat(root)).isDirectory()) throw new HangoError("not_a_directory", `${directory} is not a directory. Name a directory to import.`);
  return root;
}

/** Regular files only, relative and slash-separated, a directory at a time; links and special files are named in `skipped`. */
async function* walk(root: string, skipped: { path: string; reason: string }[]): AsyncGenerator<string> {
  const open: string[] = [""];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    const entries = await readdir(join(root, directory), { withFileTypes: true });
    for (const entry of entries) {
      if (LEFT_OUT.has(entry.name)) continue;
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      const refused = refusal(path, entry);
      if (refused !== undefined) skipped.push({ path, reason: refused });
      else if (entry.isDirectory()) open.push(path);
      else yield path;
    }
  }
}

function refusal(path: string, entry: Pick<Stats, "isDirectory" | "isFile">): string | undefined {
  if (!entry.isDirectory() && !entry.isFile()) return "not a regular file";
  try {
    validatePath(path);
  } catch (error) {
    if (isHangoError(error)) return error.message;
    throw error;
  }
  const place = placeOf(path);
  if (place.kind === "machine") return "a name that only hango itself writes";
  if (place.kind === "reserved" && !place.exact) return "another spelling of a reserved name";
  return undefined;
}
