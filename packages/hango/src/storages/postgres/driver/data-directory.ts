/** Where a PGlite database lives: a directory of the user's, or a temporary one; locked, of the right version, never half made. */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { HangoError, isHangoError } from "../../../errors.ts";
import { type DirectoryLock, lockDirectory } from "./directory-lock.ts";

/** The major version of PostgreSQL that the pinned PGlite is. */
export const PGLITE_MAJOR = "18";

/** A segment of the write-ahead log, which is made whole, and a file of the largest ordinary size, twice. */
const ROOM_BYTES = 20 * 1024 * 1024;

export interface DataDirectory {
  readonly path: string;
  /** Before each opening. Answers the packed, migrated image to start from, when the directory is empty and the package has one. */
  readonly prepare: () => string | undefined;
  /** Says that the first opening is done: until then the next one starts over. From here on the directory has to stay. */
  readonly created: () => void;
  /** Errors: unavailable when the directory was removed or replaced: what is written then would be gone, and an empty one would be filled anew. */
  readonly check: () => void;
  /** True when the disk may not hold the next change. */
  readonly isFull: () => boolean;
  /** Gives the lock back; removes a temporary directory. */
  readonly release: () => void;
}

const SEED_FILE = fileURLToPath(new URL(`../../../../seed/pglite-${PGLITE_MAJOR}.tar.gz`, import.meta.url));

/**
 * Opens "" (a temporary directory) or a path.
 * Errors: unavailable when another process has it; unsupported for another Postgres major; invalid_argument when it holds something else.
 */
export function openDataDirectory(given: string): DataDirectory {
  if (given === "") return temporaryDirectory();
  const { path, lock } = takeDirectory(given);
  try {
    checkContent(path);
  } catch (error) {
    lock.release();
    throw error;
  }
  return directoryAt(path, lock.release);
}

function takeDirectory(given: string): { readonly path: string; readonly lock: DirectoryLock } {
  try {
    mkdirSync(given, { recursive: true });
    const path = realpathSync(resolve(given));
    return { path, lock: lockDirectory(path) };
  } catch (cause) {
    if (isHangoError(cause)) throw cause;
    throw new HangoError(
      "unavailable",
      `${given} can't be used: hango must be able to write in it and, for its lock, beside it. In a container give a directory inside the volume (pglite:/data/db).`,
      { cause },
    );
  }
}

const temporary = new Set<() => void>();
/** One listener for all of them, and none when there is none: node warns of a leak from the eleventh on. */
const removeAll = (): void => temporary.forEach((remove) => remove());

function temporaryDirectory(): DataDirectory {
  const path = mkdtempSync(join(tmpdir(), "hango-pglite-"));
  const remove = (): void => {
    temporary.delete(remove);
    if (temporary.size === 0) process.removeListener("exit", removeAll);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    rmSync(creationMark(path), { force: true });
  };
  if (temporary.size === 0) process.once("exit", removeAll);
  temporary.add(remove);
  return directoryAt(path, remove);
}

function directoryAt(path: string, release: () => void): DataDirectory {
  // Held open: a file system gives a freed inode number to the next file, so that without it a replaced file could look like the old one.
  let versionFile: number | undefined;
  return {
    path,
    prepare: () => {
      if (existsSync(creationMark(path))) empty(path);
      if (readdirSync(path).length > 0) return undefined;
      writeFileSync(creationMark(path), "");
      return existsSync(SEED_FILE) ? SEED_FILE : undefined;
    },
    created: () => {
      rmSync(creationMark(path), { force: true });
      versionFile ??= openSync(join(path, "PG_VERSION"), "r");
    },
    check: () => {
      if (versionFile !== undefined && !isStillThere(path, versionFile))
        throw new HangoError(
          "unavailable",
          `${path} was removed or replaced while the database was open. Nothing more is written; close it, restore the directory and open it again.`,
        );
    },
    isFull: () => isFull(path),
    release: () => {
      if (versionFile !== undefined) closeSync(versionFile);
      versionFile = undefined;
      release();
    },
  };
}

function isFull(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize < ROOM_BYTES;
}

/** Whether the directory holds the database that was opened: its version file is written once, so that its inode tells. */
function isStillThere(path: string, versionFile: number): boolean {
  const now = statSync(join(path, "PG_VERSION"), { throwIfNoEntry: false });
  const opened = fstatSync(versionFile);
  return now !== undefined && now.dev === opened.dev && now.ino === opened.ino;
}

/** Stands beside a directory that is being filled for the first time. A crash leaves it, and what is in the directory then is no database. */
function creationMark(path: string): string {
  return `${path}.creating`;
}

function empty(path: string): void {
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true });
}

function checkContent(path: string): void {
  if (existsSync(creationMark(path)) || readdirSync(path).length === 0) return;
  const versionFile = join(path, "PG_VERSION");
  if (!existsSync(versionFile)) throw new HangoError("invalid_argument", `${path} holds other files and no database. Give an empty or a new directory.`);
  const version = readFileSync(versionFile, "utf8").trim();
  if (version !== PGLITE_MAJOR)
    throw new HangoError(
      "unsupported",
      `${path} was made by PostgreSQL ${version} and this hango carries ${PGLITE_MAJOR}. With the hango that made it run: npx hango export --db pglite:${path} files.tar — then with this one: npx hango import --db pglite:NEW_DIRECTORY files.tar`,
      { details: { found: version, needed: PGLITE_MAJOR } },
    );
}
