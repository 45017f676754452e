/** A whole new file under a name of its own, then one rename: whoever reads sees the old content or the new, never a part. */
import { closeSync, constants, fstatSync, fsync, linkSync, openSync, renameSync, unlinkSync, write, writeSync, type BigIntStats } from "node:fs";
import { promisify } from "node:util";
import { alreadyExists, conflict, notAFile } from "../../contract/refusals.ts";
import { HangoError, shownPath } from "../../errors.ts";
import { ancestorsOf } from "../../path/path.ts";
import type { FileInfo, WriteOptions } from "../../storage.ts";
import type { Directory } from "./directory.ts";
import { DRAFT_MODE, dress } from "./dress.ts";
import { temporaryName } from "./hidden-names.ts";
import { checkVersion, occupant } from "./occupant.ts";
import { sweepOrphans } from "./orphans.ts";
import { isMissing, isSwapped, neverStill, osCode } from "./os-errors.ts";
import { removeEmptyTree, removeIfEmpty, withParent } from "./parents.ts";
import { MAX_OS_FILE_BYTES } from "./read-file.ts";
import { DISK_WORK, type Root } from "./root.ts";
import { infoOf, rememberOwn } from "./versions.ts";

/** Up to here the content is written in one step: a trip to another thread costs more. Units: bytes. */
const ONE_STEP_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** Starts over because a directory on the way was moved meanwhile. */
const MAX_TURNS = 8;

const writeSome = promisify(write);
const syncFile = promisify(fsync);

export interface WriteContext {
  readonly root: Root;
  /** True: an acknowledged write survives a loss of power. */
  readonly fsync: boolean;
  /** Directories that this storage made, which go with their last file. */
  readonly made: Set<string>;
  /** Directories that were looked through for what killed writes left. */
  readonly swept: Set<string>;
}

export async function writeFile(context: WriteContext, path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<FileInfo> {
  if (bytes.length > MAX_OS_FILE_BYTES) {
    const shown = shownPath(path);
    throw new HangoError("too_large", `${shown} would have ${bytes.length} bytes; a directory's files are written up to ${MAX_OS_FILE_BYTES}.`, {
      path: shown,
    });
  }
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    await context.root.pace(DISK_WORK.write);
    options.signal?.throwIfAborted();
    const draft = unlessMoved(() => openDraft(context, path, options));
    if (draft === undefined) continue;
    let placed: BigIntStats | undefined;
    try {
      await fill(draft.descriptor, bytes, options.signal);
      if (context.fsync) await syncFile(draft.descriptor);
      placed = unlessMoved(() => place(context.root, path, draft, options));
      if (placed === undefined) continue;
      if (context.fsync) await syncDirectories(context.root, path, draft.made.length > 0);
      return infoOf(path, placed);
    } finally {
      try {
        if (placed === undefined) discard(context, draft);
      } finally {
        closeSync(draft.descriptor);
        draft.directory.close();
      }
    }
  }
  throw neverStill("write", path);
}

/** Undefined when a directory on the way was removed or swapped between two looks: then the look-up starts over. */
function unlessMoved<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (isMissing(error) || isSwapped(error)) return undefined;
    throw error;
  }
}

interface Draft {
  readonly descriptor: number;
  readonly name: string;
  /** Held open while the content is written, so that the draft can be removed wherever it was moved to. */
  readonly directory: Directory;
  readonly made: readonly string[];
}

function openDraft({ root, made, swept }: WriteContext, path: string, { ifVersion }: WriteOptions): Draft {
  const own: string[] = [];
  // Over a version there has to be a file already: no directory is made for a write that can only fail.
  const onMade = ifVersion === undefined || ifVersion === "absent" ? (directory: string): void => void own.push(directory) : undefined;
  try {
    const draft = withParent(
      root,
      path,
      (parent, target) => {
        if (parent === undefined) throw conflict(path);
        checkVersion(occupant(parent, target, path), path, ifVersion);
        const name = temporaryName();
        const directory = parent.reopen();
        try {
          sweepOrphans(directory, swept);
          const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
          const descriptor = openSync(directory.at(name), flags, DRAFT_MODE);
          return { descriptor, name, directory, made: own };
        } catch (error) {
          directory.close();
          throw error;
        }
      },
      onMade,
    );
    remember(made, own);
    return draft;
  } catch (error) {
    removeIfEmpty(root, own);
    throw error;
  }
}

/** Made directories that are remembered; one forgotten only stays behind when it is empty. */
const MAX_MADE = 10_000;

function remember(made: Set<string>, directories: readonly string[]): void {
  for (const directory of directories) made.add(directory);
  for (const oldest of made) {
    if (made.size <= MAX_MADE) return;
    made.delete(oldest);
  }
}

async function fill(descriptor: number, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    signal?.throwIfAborted();
    const length = Math.min(CHUNK_BYTES, bytes.length - done);
    done += bytes.length <= ONE_STEP_BYTES ? writeSync(descriptor, bytes, done, length) : (await writeSome(descriptor, bytes, done, length)).bytesWritten;
  }
}

/** Checks again and puts the draft in place, all in one step of this process; undefined when the path leads to another directory by now. */
function place(root: Root, path: string, draft: Draft, { ifVersion, signal }: WriteOptions): BigIntStats | undefined {
  signal?.throwIfAborted();
  return withParent(root, path, (parent, name) => {
    if (parent === undefined || parent.id !== draft.directory.id) return undefined;
    const current = occupant(parent, name, path);
    checkVersion(current, path, ifVersion);
    if (current === "empty" && !removeEmptyTree(parent, name)) throw notAFile(path);
    dress(draft.descriptor, current === "empty" ? undefined : current);
    try {
      if (ifVersion !== "absent" || !linkInPlace(parent, draft.name, name, path)) renameSync(parent.at(draft.name), parent.at(name));
    } catch (error) {
      // A directory came to stand there after the look.
      throw osCode(error) === "EISDIR" || osCode(error) === "ENOTEMPTY" ? notAFile(path) : error;
    }
    const stats = fstatSync(draft.descriptor, { bigint: true });
    rememberOwn(stats);
    return stats;
  });
}

/** Creates the name, also against other processes: unlike a rename, a link never replaces. False where the disk has no hard links. */
function linkInPlace(parent: Directory, draft: string, name: string, path: string): boolean {
  try {
    linkSync(parent.at(draft), parent.at(name));
  } catch (error) {
    const code = osCode(error) ?? "";
    if (code === "EEXIST") throw alreadyExists(path);
    if (noHardLinks.has(code)) return false;
    throw error;
  }
  unlinkSync(parent.at(draft));
  return true;
}

const noHardLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function discard({ root, made }: WriteContext, draft: Draft): void {
  try {
    unlinkSync(draft.directory.at(draft.name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  for (const directory of removeIfEmpty(root, draft.made)) made.delete(directory);
}

/** The new name, and the directories made for it, are on the disk only when their own directory is. */
async function syncDirectories(root: Root, path: string, all: boolean): Promise<void> {
  const directories = ["", ...ancestorsOf(path)].toReversed();
  for (const directory of all ? directories : directories.slice(0, 1)) {
    const descriptor = withParent(root, directory === "" ? "x" : `${directory}/x`, (parent) => parent?.openToSync());
    if (descriptor === undefined) continue;
    try {
      await syncFile(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}
