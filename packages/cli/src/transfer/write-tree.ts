/** Writes files into a directory: each whole or not at all, none through a link, and the same name never twice. */
import { closeSync, fstatSync, futimesSync, lstatSync, mkdirSync, openSync, readdirSync, realpathSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type FileData, HangoError } from "hango";
import { isHiddenName } from "hango/osfs";
import { counted } from "../output.ts";
import { BlockedDirectory, createDirectoryWalk } from "./directory-walk.ts";
import { INCOMPLETE_MARK, PARTIAL } from "./incomplete-mark.ts";
import type { Skipped } from "./walk-tree.ts";

/** Files written before the sockets and Ctrl-C get their turn. */
const AT_ONCE = 32;

export interface WriteTreeOptions {
  /** Write over files, and into a directory that is not empty. */
  readonly overwrite?: boolean;
  readonly onWritten?: (file: FileData) => void;
  readonly signal?: AbortSignal;
}
export interface WrittenTree {
  readonly files: number;
  readonly bytes: number;
  readonly skipped: readonly Skipped[];
}

/** Errors: already_exists for a directory that is not empty; not_a_directory; internal when the system takes no more, such as a full disk; an abort rethrows its reason. Only whole files are left. */
export async function writeTree(files: AsyncIterable<FileData>, given: string, options: WriteTreeOptions = {}): Promise<WrittenTree> {
  const root = prepare(given, options.overwrite === true);
  // The mark stays when the process is killed; whoever is told of the end needs none.
  const mark = join(root, INCOMPLETE_MARK);
  try {
    // What has these names may be a link: it is taken away, never written through.
    for (const own of [mark, join(root, PARTIAL)]) rmSync(own, { force: true });
    closeSync(openSync(mark, "wx"));
  } catch (error) {
    throw writeFailure(error, `Nothing can be written to ${given}`);
  }
  const ids = new Map<string, string>();
  const walk = createDirectoryWalk(root, ids);
  const skipped: Skipped[] = [];
  let [count, bytes] = [0, 0];
  try {
    for await (const file of files) {
      options.signal?.throwIfAborted();
      const reason = writeOne({ walk, root, ids }, file);
      if (reason === undefined) {
        count += 1;
        bytes += file.bytes.length;
      } else skipped.push({ path: file.info.path, reason });
      options.onWritten?.(file);
      if (count % AT_ONCE === 0) await setImmediate();
    }
    options.signal?.throwIfAborted();
  } catch (error) {
    throw writeFailure(error, `${given} takes no more after ${counted(count, "file")}; they are whole, but not all of them`);
  } finally {
    walk.close();
    rmSync(join(root, PARTIAL), { force: true });
    rmSync(mark, { force: true });
  }
  return { files: count, bytes, skipped };
}

/** A system's answer that ends the export, in words; anything else as it is. */
function writeFailure(error: unknown, what: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const why = ["ENOSPC", "EDQUOT"].includes(code) ? `the disk is full (${code})` : code;
  return new HangoError("internal", `${what}: ${why}.`, { cause: error });
}

/** The real directory, made when it is not there. */
function prepare(given: string, overwrite: boolean): string {
  try {
    mkdirSync(given, { recursive: true });
  } catch (cause) {
    throw new HangoError("not_a_directory", `${given} is not a directory and can't be made one. Name another place to export to.`, { cause });
  }
  const root = realpathSync(given);
  const found = readdirSync(root);
  if (found.length > 0 && !overwrite) {
    const state = found.includes(INCOMPLETE_MARK) ? "holds an export that was cut short" : "is not empty";
    throw new HangoError("already_exists", `${given} ${state}. Name a new directory, or take --overwrite to write over files of the same name; others stay.`);
  }
  return root;
}

interface Place {
  readonly walk: ReturnType<typeof createDirectoryWalk>;
  readonly root: string;
  readonly ids: Map<string, string>;
}

/** Answers why it was not written. */
function writeOne({ walk, root, ids }: Place, { info, bytes }: FileData): string | undefined {
  if (info.path === INCOMPLETE_MARK || info.path === PARTIAL) return "the export itself uses this name";
  const segments = info.path.split("/");
  // Git runs what its own directory names: nothing that an agent wrote may become one.
  if (segments.some(isHiddenName)) return "no export writes this name; take the archive: hango export -";
  const name = segments.pop() ?? "";
  const partial = join(root, PARTIAL);
  try {
    const target = join(walk.open(segments), name);
    const there = lstatSync(target, { bigint: true, throwIfNoEntry: false });
    if (there?.isDirectory() === true) return "a directory is there";
    const before = there === undefined ? undefined : ids.get(`${there.dev}:${there.ino}`);
    if (before !== undefined) return `this file system takes it and /${before} for one`;
    const file = openSync(partial, "wx");
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      if (info.updatedAt !== undefined) futimesSync(file, info.updatedAt, info.updatedAt);
      const { dev, ino } = fstatSync(file, { bigint: true });
      ids.set(`${dev}:${ino}`, info.path);
    } finally {
      closeSync(file);
    }
    renameSync(partial, target);
    return undefined;
  } catch (error) {
    if (error instanceof BlockedDirectory) return error.message;
    const { code } = error as NodeJS.ErrnoException;
    // A name that this file system can't hold, or a directory that is not ours, concerns one file; a full disk all of them.
    // A directory that went away is made anew for the next file.
    walk.open([]);
    rmSync(partial, { force: true });
    if (["ENOENT", "EEXIST", "ENAMETOOLONG", "EINVAL", "EILSEQ", "EACCES", "EPERM", "ENOTDIR", "ELOOP", "EISDIR"].includes(code ?? ""))
      return `can't be written (${code})`;
    throw error;
  }
}
