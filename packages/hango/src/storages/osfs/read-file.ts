/** The bytes of one file and the version they belong to. */
import { closeSync, constants, fstatSync, openSync, read, readSync, type BigIntStats } from "node:fs";
import { promisify } from "node:util";
import { notAFile } from "../../contract/refusals.ts";
import { HangoError, notFound, shownPath } from "../../errors.ts";
import type { CallOptions, FileData } from "../../storage.ts";
import { withFound, type Found } from "./find.ts";
import { isMissing, isSwapped, leadsOutside, neverStill, notRegular } from "./os-errors.ts";
import { DISK_WORK, type Root } from "./root.ts";
import { infoOf, isSettled, settle, versionOf, type VersionOptions } from "./versions.ts";
import { holdsFile } from "./walk.ts";

/** A larger file is not read into memory, nor written. Units: bytes. */
export const MAX_OS_FILE_BYTES: number = 64 * 1024 * 1024;
/** Up to here the content is read in one step: a trip to another thread costs more. Units: bytes. */
const ONE_STEP_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** Reads of a file that changes meanwhile, and look-ups of one that is swapped. */
const MAX_TURNS = 8;

const readSome = promisify(read);

export async function readFile(root: Root, path: string, options: CallOptions & VersionOptions = {}): Promise<FileData> {
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    await root.pace(DISK_WORK.read);
    options.signal?.throwIfAborted();
    const opened = open(root, path);
    if (opened === "swapped") continue;
    if (typeof opened !== "number") return await refuse(root, path, opened, options);
    try {
      const data = await contentOf(opened, path, { ...options, last: turn === MAX_TURNS });
      if (data !== "changed") return data;
    } finally {
      closeSync(opened);
    }
  }
  throw neverStill("read", path);
}

/** A descriptor, or what stands there instead of a file. Never waits for a pipe, never follows a link swapped in. */
function open(root: Root, path: string): number | Exclude<Found["kind"], "file"> | "swapped" {
  return withFound(root, path, (found) => {
    if (found.kind !== "file") return found.kind;
    let descriptor: number;
    try {
      descriptor = openSync(found.directory.at(found.name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    } catch (error) {
      if (isMissing(error) || isSwapped(error)) return "swapped";
      throw error;
    }
    try {
      found.directory.confirm(found.name, descriptor);
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      if (isSwapped(error)) return "swapped";
      throw error;
    }
  });
}

async function refuse(root: Root, path: string, kind: Exclude<Found["kind"], "file">, options: CallOptions): Promise<never> {
  if (kind === "special") throw notRegular(path);
  if (kind === "outside") throw leadsOutside(path);
  if (kind === "directory" && (await holdsFile(root, path, options))) throw notAFile(path);
  throw notFound(path);
}

/**
 * Content and version of one moment. The last turn answers with what it has: its version is that of before the read, so no write over it succeeds
 * when the file changed since.
 */
async function contentOf(
  descriptor: number,
  path: string,
  { last, signal, versions }: CallOptions & VersionOptions & { readonly last: boolean },
): Promise<FileData | "changed"> {
  let before = regularStats(descriptor, path);
  if (versions !== "any" && !isSettled(before)) {
    await settle(signal);
    before = regularStats(descriptor, path);
  }
  const bytes = await bytesOf(descriptor, Number(before.size), signal);
  const after = regularStats(descriptor, path);
  if (!last && versionOf(before) !== versionOf(after)) return "changed";
  return { info: infoOf(path, before, bytes.length), bytes };
}

function regularStats(descriptor: number, path: string): BigIntStats {
  const stats = fstatSync(descriptor, { bigint: true });
  if (!stats.isFile()) throw notRegular(path);
  if (stats.size > MAX_OS_FILE_BYTES) {
    const shown = shownPath(path);
    throw new HangoError("too_large", `${shown} has ${stats.size} bytes; a directory's files are read up to ${MAX_OS_FILE_BYTES}.`, { path: shown });
  }
  return stats;
}

/** Fewer than `size` when the file was cut meanwhile. */
async function bytesOf(descriptor: number, size: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    signal?.throwIfAborted();
    const length = Math.min(CHUNK_BYTES, size - filled);
    const got =
      size <= ONE_STEP_BYTES ? readSync(descriptor, bytes, filled, length, filled) : (await readSome(descriptor, bytes, filled, length, filled)).bytesRead;
    if (got === 0) break;
    filled += got;
  }
  return filled === size ? bytes : bytes.subarray(0, filled);
}
