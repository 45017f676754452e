/** Reads a directory into a storage, a few megabytes at a time, without ever writing over what is there. */
import { readFile } from "node:fs/promises";
import { HangoError, type Mutation, type Storage, processLimits } from "hango";
import { type Skipped, type WalkOptions, isUnreadable, walkTree } from "./walk-tree.ts";

/** Limits: files of one import, bytes and files of one transaction. */
const MAX_FILES = 20_000;
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_FILES = 500;

export interface ImportReport {
  readonly files: number;
  readonly bytes: number;
  readonly alreadyThere: number;
  /** Directories that are never imported, by name, if there were any. */
  readonly leftOut: readonly string[];
  /** What could not be taken, with the reason. */
  readonly skipped: readonly Skipped[];
}

export interface ImportOptions extends WalkOptions {
  readonly onProgress?: (files: number, bytes: number) => void;
}

/** Imports every regular file below `root`. Errors: too_large over 20,000 files, before anything is written. */
export async function importTree(storage: Storage, root: string, options: ImportOptions = {}): Promise<ImportReport> {
  const apply = storage.apply;
  if (apply === undefined) throw new HangoError("unsupported", `${storage.name} can't import a tree in one piece.`);
  const tree = await walkTree(root, options);
  if (tree.files.length > MAX_FILES)
    throw new HangoError("too_large", `${root} holds ${tree.files.length} files, and an import takes at most ${MAX_FILES}. Name a smaller directory.`);

  const held = new Set((await storage.list()).map((info) => info.path));
  const skipped = [...tree.skipped];
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
  for (const { path, location, sizeBytes } of tree.files) {
    if (held.has(path)) {
      alreadyThere++;
      continue;
    }
    const content = sizeBytes > processLimits.maxFileBytes ? `over ${processLimits.maxFileBytes} bytes` : await contentOf(location);
    if (typeof content === "string") {
      skipped.push({ path, reason: content });
      continue;
    }
    batch.push({ kind: "create", path, bytes: content });
    batchBytes += content.length;
    if (batch.length === BATCH_FILES || batchBytes >= BATCH_BYTES) await flush();
  }
  await flush();
  return { files, bytes, alreadyThere, leftOut: tree.leftOut, skipped };
}

/** The bytes, or why there are none: a file may go, grow or lose its permissions while the import runs. */
async function contentOf(location: string): Promise<Uint8Array | string> {
  try {
    const content = await readFile(location);
    return content.length > processLimits.maxFileBytes ? `over ${processLimits.maxFileBytes} bytes` : content;
  } catch (error) {
    if (isUnreadable(error)) return `can't be read (${error.code})`;
    throw error;
  }
}
