/** Reads the files that a walk found, one after another. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { LoadFile } from "hango/postgres";
import { type FoundFile, isUnreadable, type Skipped } from "./walk-tree.ts";

/** Files read in one go, before the sockets get their turn: reading one takes less time than waiting for a thread to do it. */
const AT_ONCE = 32;

export interface ReadTreeOptions {
  /** Told of files that went away, or lost their permissions, since they were found. */
  readonly skipped: Skipped[];
  /** Told how far the reading is. */
  readonly onRead?: (file: FoundFile) => void;
  readonly signal?: AbortSignal;
}

export async function* readTree(files: Iterable<FoundFile>, { skipped, onRead, signal }: ReadTreeOptions): AsyncGenerator<LoadFile, void, undefined> {
  let read = 0;
  for (const file of files) {
    if (++read % AT_ONCE === 0) await setImmediate();
    signal?.throwIfAborted();
    const bytes = bytesOf(file.location);
    if (typeof bytes === "string") skipped.push({ path: file.path, reason: bytes });
    else yield { path: file.path, bytes, updatedAt: file.updatedAt };
    onRead?.(file);
  }
}

/** The bytes, or why there are none. What was a file may be a link or a pipe by now. */
function bytesOf(location: string): Uint8Array | string {
  try {
    const file = openSync(location, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      return fstatSync(file).isFile() ? readFileSync(file) : "not a regular file";
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isUnreadable(error)) return error.code === "ELOOP" ? "a link" : `can't be read (${error.code})`;
    throw error;
  }
}
