/** What a directory holds, by name: files, directories, links, and a notice of each name that can't be a path. */
import { opendirSync, type Dirent } from "node:fs";
import { isHangoError } from "../../errors.ts";
import { comparePaths, parseFilePath } from "../../path/path.ts";
import type { FilterOptions } from "../../storage.ts";
import { escapeText } from "../../text/quote.ts";
import { decodeName, withFound } from "./find.ts";
import { isHiddenName } from "./hidden-names.ts";
import { isDenied, isMissing, isSwapped } from "./os-errors.ts";
import { DISK_WORK, type Root } from "./root.ts";

export interface DirectoryEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "directory" | "link";
}

/** Names of one directory; what comes after is left out with a notice. */
const MAX_ENTRIES = 1_000_000;
const CHUNK = 512;

/** The entries in the order the disk has them, in chunks. A directory that is gone by now holds nothing. */
export async function* readEntries(root: Root, path: string, options: FilterOptions): AsyncGenerator<readonly DirectoryEntry[], void> {
  await root.pace(DISK_WORK.openDirectory);
  options.signal?.throwIfAborted();
  const listing = open(root, path, options.onSkip);
  if (listing === undefined) return;
  try {
    let seen = 0;
    for (;;) {
      const chunk: DirectoryEntry[] = [];
      let read = 0;
      for (; read < CHUNK; read++) {
        const dirent = listing.readSync() as Dirent<Buffer> | null;
        if (dirent === null) break;
        const entry = entryOf(path, dirent, options.onSkip);
        if (entry !== undefined) chunk.push(entry);
      }
      if (chunk.length > 0) yield chunk;
      if (read < CHUNK) return;
      seen += read;
      if (seen >= MAX_ENTRIES) {
        options.onSkip?.(path, `holds more than ${MAX_ENTRIES} names`);
        return;
      }
      await root.pace(read * DISK_WORK.name);
      options.signal?.throwIfAborted();
    }
  } finally {
    listing.closeSync();
  }
}

/** Every entry, in the byte order of the paths below: a directory counts as its name with the slash. */
export async function sortedEntries(root: Root, path: string, options: FilterOptions): Promise<readonly DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  for await (const chunk of readEntries(root, path, options)) for (const entry of chunk) entries.push(entry);
  return entries.sort((a, b) => comparePaths(orderOf(a), orderOf(b)));
}

/** What an entry is ordered by: its name, with the slash of a directory. */
export function orderOf(entry: DirectoryEntry): string {
  return entry.kind === "directory" ? `${entry.name}/` : entry.name;
}

type Listing = ReturnType<typeof opendirSync>;

function open(root: Root, path: string, onSkip: FilterOptions["onSkip"]): Listing | undefined {
  try {
    return withFound(root, path, (found) => {
      if (found.kind !== "directory") return undefined;
      // The types of Node know no other encoding than text here; the names come as bytes.
      return opendirSync(found.directory.self, { encoding: "buffer" as BufferEncoding, bufferSize: CHUNK });
    });
  } catch (error) {
    if (isMissing(error) || isSwapped(error)) return undefined;
    if (!isDenied(error)) throw error;
    onSkip?.(path, "could not be read");
    return undefined;
  }
}

function entryOf(directory: string, dirent: Dirent<Buffer>, onSkip: FilterOptions["onSkip"]): DirectoryEntry | undefined {
  const name = decodeName(dirent.name);
  const head = directory === "" ? "" : `${directory}/`;
  if (name === undefined) {
    onSkip?.(head + escapeText(dirent.name.toString("utf8"), 255), "its name is not UTF-8");
    return undefined;
  }
  if (isHiddenName(name)) return undefined;
  const path = head + name;
  if (!isPath(path)) {
    onSkip?.(head + escapeText(name, 255), "its name breaks the rules of paths");
    return undefined;
  }
  if (dirent.isFile()) return { name, path, kind: "file" };
  if (dirent.isDirectory()) return { name, path, kind: "directory" };
  if (dirent.isSymbolicLink()) return { name, path, kind: "link" };
  onSkip?.(path, "not a regular file");
  return undefined;
}

function isPath(path: string): boolean {
  try {
    parseFilePath(path);
    return true;
  } catch (error) {
    if (isHangoError(error, "invalid_path")) return false;
    throw error;
  }
}
