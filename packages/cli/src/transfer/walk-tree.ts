/** Finds the files of a directory that a storage can hold, and says of everything else why not. */
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { HangoError, comparePaths, isHangoError, processLimits, validatePath } from "hango";
import { INCOMPLETE_MARK, PARTIAL } from "./incomplete-mark.ts";

/** Of a repository or of an export that was cut short, never of an agent's work. */
const NEVER: ReadonlySet<string> = new Set([".git", INCOMPLETE_MARK, PARTIAL]);
/** Made by tools and made again by them; `--all` takes them. */
const MADE: ReadonlySet<string> = new Set(["node_modules", "dist", ".hango"]);

export interface Skipped {
  readonly path: string;
  readonly reason: string;
  /** False for a link, a pipe or a device: what has no content of its own. */
  readonly isFile?: false;
}
export interface FoundFile {
  /** Relative, slash-separated. */
  readonly path: string;
  /** Where it stands on this machine. */
  readonly location: string;
  readonly sizeBytes: number;
  readonly updatedAt: Date;
}
export interface Tree {
  readonly files: readonly FoundFile[];
  /** Names that are never imported, or only with `all`, if there were any. */
  readonly leftOut: readonly string[];
  readonly skipped: readonly Skipped[];
  /** How many files and directories the rules of .gitignore, `include` and `exclude` passed by. */
  readonly passedBy: number;
}
/** Rules that are found on the way. */
export interface GitIgnore {
  /** Reads the rules of a directory, before its entries are asked about. Its parents must have been entered. */
  readonly enter: (directory: string) => void;
  /** A directory's path ends in a slash; one that is ignored must not be entered. */
  readonly ignores: (path: string) => boolean;
}

export interface WalkOptions {
  /** Absolute locations to pass by, such as the store that the files go to. */
  readonly except?: readonly string[];
  /** Also what tools made. */
  readonly all?: boolean;
  /** Asked of each path; a directory's ends in a slash. False passes it by. */
  readonly wants?: (path: string) => boolean;
  readonly gitIgnore?: GitIgnore;
  readonly signal?: AbortSignal;
}

/** Where a directory really stands. Errors: not_found, not_a_directory. */
export async function directoryAt(given: string): Promise<string> {
  const root = await realpath(given).catch((cause: unknown) => {
    throw new HangoError("not_found", `${given} does not exist or can't be reached. Name a directory to import.`, { cause });
  });
  if (!(await lstat(root)).isDirectory()) throw new HangoError("not_a_directory", `${given} is not a directory. Name a directory to import.`);
  return root;
}

/** Why a file is refused for its size, and what to set. */
export function tooLarge(): string {
  return `over ${processLimits.maxFileBytes} bytes, HANGO_FS_MAX_FILE_BYTES`;
}

/** Names that were left out, and which of them can be had: "left out at any depth: dist" told nobody how. */
export function leftOutNames(names: readonly string[]): string {
  const made = names.filter((name) => MADE.has(name));
  return `${names.join(", ")}${made.length === 0 ? "" : ` (--all takes ${made.join(", ")})`}`;
}

/** Regular files in byte order of their paths; links, special files, names and files that can't be taken are named in `skipped`. */
export async function walkTree(root: string, options: WalkOptions = {}): Promise<Tree> {
  const { except = [], all = false, wants = () => true, gitIgnore, signal } = options;
  const files: FoundFile[] = [];
  const skipped: Skipped[] = [];
  const leftOut = new Set<string>();
  let passedBy = 0;
  const open: string[] = [""];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    // Looking takes less time than waiting for a thread that looks; Ctrl-C gets its turn in between.
    await setImmediate();
    signal?.throwIfAborted();
    const entries = attempt(() => readdirSync(join(root, directory), { withFileTypes: true, encoding: "buffer" }), directory, skipped);
    gitIgnore?.enter(directory);
    for (const entry of entries ?? []) {
      const name = nameOf(entry.name);
      const path = `${directory === "" ? "" : `${directory}/`}${name ?? entry.name.toString()}`;
      const location = join(root, path);
      const asked = entry.isDirectory() ? `${path}/` : path;
      if (except.includes(location)) continue;
      if (name !== undefined && (NEVER.has(name) || (!all && MADE.has(name)))) leftOut.add(name);
      else if (gitIgnore?.ignores(asked) === true || !wants(asked)) passedBy += 1;
      else {
        const refused = name === undefined ? "its name is not UTF-8" : refusal(path, entry);
        if (refused !== undefined) skipped.push({ path, reason: refused, ...(entry.isDirectory() || entry.isFile() ? {} : { isFile: false }) });
        else if (entry.isDirectory()) open.push(path);
        else {
          const facts = attempt(() => lstatSync(location), path, skipped);
          if (facts === undefined) continue;
          if (facts.size > processLimits.maxFileBytes) skipped.push({ path, reason: tooLarge() });
          else files.push({ path, location, sizeBytes: facts.size, updatedAt: facts.mtime });
        }
      }
    }
  }
  return { files: files.toSorted((a, b) => comparePaths(a.path, b.path)), leftOut: [...leftOut].toSorted(), skipped, passedBy };
}

/** A system's answer that concerns one file and not the import: gone, or not ours to read. */
export function isUnreadable(error: unknown): error is NodeJS.ErrnoException {
  return ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "EIO", "ENXIO"].includes(String((error as { code?: unknown } | null)?.code));
}

function attempt<T>(act: () => T, path: string, skipped: Skipped[]): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    skipped.push({ path: path === "" ? "." : path, reason: `can't be read (${error.code})` });
    return undefined;
  }
}

/** A name that is not UTF-8 would be shown as another one, and opened as that. */
function nameOf(raw: Buffer): string | undefined {
  const name = raw.toString();
  return Buffer.from(name).equals(raw) ? name : undefined;
}

function refusal(path: string, entry: Pick<Dirent, "isDirectory" | "isFile" | "isSymbolicLink">): string | undefined {
  if (entry.isSymbolicLink()) return "a link";
  if (!entry.isDirectory() && !entry.isFile()) return "not a regular file";
  try {
    validatePath(path);
  } catch (error) {
    if (isHangoError(error)) return error.message;
    throw error;
  }
  return undefined;
}
