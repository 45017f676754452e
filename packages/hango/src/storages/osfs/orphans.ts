/** Files that a write had begun when its process was killed. Nobody sees them, so nobody else takes them away. */
import { lstatSync, opendirSync, unlinkSync } from "node:fs";
import type { Directory } from "./directory.ts";
import { isTemporaryName } from "./hidden-names.ts";
import { osCode } from "./os-errors.ts";

/** Younger than this it may be a write under way, of another process or a machine with another clock. Units: milliseconds. */
export const ORPHAN_AGE_MS: number = 24 * 60 * 60 * 1_000;
/** Names that are looked through in one directory. */
const MAX_SWEPT_NAMES = 10_000;
/** Directories that are remembered as looked through. */
const MAX_SWEPT_DIRECTORIES = 10_000;

/** Removes the old ones in a directory that is about to be written to, once for each directory while the storage is open. */
export function sweepOrphans(directory: Directory, swept: Set<string>, maxNames: number = MAX_SWEPT_NAMES): void {
  const { id } = directory;
  if (swept.has(id)) return;
  if (swept.size >= MAX_SWEPT_DIRECTORIES) swept.clear();
  swept.add(id);
  try {
    for (const name of temporaryNames(directory, maxNames)) {
      const stats = lstatSync(directory.at(name), { throwIfNoEntry: false });
      if (stats?.isFile() === true && Date.now() - stats.mtimeMs > ORPHAN_AGE_MS) unlinkSync(directory.at(name));
    }
  } catch (error) {
    // Not listed for us, not ours to remove, or gone by now: none of it is the write's concern, which says itself what it can't do.
    if (osCode(error) === undefined) throw error;
  }
}

function temporaryNames(directory: Directory, maxNames: number): readonly string[] {
  const listing = opendirSync(directory.self, { bufferSize: 512 });
  try {
    const names: string[] = [];
    for (let seen = 0; seen < maxNames; seen++) {
      const entry = listing.readSync();
      if (entry === null) break;
      if (isTemporaryName(entry.name)) names.push(entry.name);
    }
    return names;
  } finally {
    listing.closeSync();
  }
}
