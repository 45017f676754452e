/** The directory that a change happens in, reached without any link, and the directories that come and go with files. */
import { lstatSync, mkdirSync, opendirSync, rmdirSync } from "node:fs";
import { notADirectory } from "../../contract/refusals.ts";
import { isHangoError } from "../../errors.ts";
import { ancestorsOf, baseName } from "../../path/path.ts";
import type { Directory } from "./directory.ts";
import { isHiddenName } from "./hidden-names.ts";
import { hiddenName, isSwapped, neverStill, osCode, throughLink } from "./os-errors.ts";
import type { Root } from "./root.ts";

const MAX_CHANGES = 16;

/**
 * Opens the parent of a path and hands it over with the last name; undefined when there is no such directory.
 * Errors: forbidden for a hidden name or a link on the way, not_a_directory. `onMade` asks for missing directories and is told of each made.
 */
export function withParent<T>(root: Root, path: string, use: (parent: Directory | undefined, name: string) => T, onMade?: (path: string) => void): T {
  const opened: Directory[] = [];
  const hidden = path.split("/").find(isHiddenName);
  if (hidden !== undefined) throw hiddenName(path, hidden);
  try {
    let here = root.top();
    for (const ancestor of ancestorsOf(path)) {
      const child = step(here, path, ancestor, onMade);
      if (child === undefined) return use(undefined, baseName(path));
      opened.push(child);
      here = child;
    }
    return use(here, baseName(path));
  } finally {
    for (const directory of opened) directory.close();
  }
}

function step(here: Directory, path: string, ancestor: string, onMade: ((path: string) => void) | undefined): Directory | undefined {
  const name = baseName(ancestor);
  for (let turn = 1; turn <= MAX_CHANGES; turn++) {
    try {
      return here.child(name);
    } catch (error) {
      if (osCode(error) === "ENOENT") {
        if (onMade === undefined) return undefined;
        if (makeDirectory(here, name, path)) onMade(ancestor);
        continue;
      }
      if (!isSwapped(error)) throw error;
      const stats = lstatSync(here.at(name), { throwIfNoEntry: false });
      if (stats?.isSymbolicLink() === true) throw throughLink(path, ancestor);
      if (stats !== undefined && !stats.isDirectory()) throw notADirectory(path, ancestor);
    }
  }
  throw neverStill("change", path);
}

/** False when it is there by now. */
function makeDirectory(here: Directory, name: string, path: string): boolean {
  try {
    mkdirSync(here.at(name));
    return true;
  } catch (error) {
    if (osCode(error) === "EEXIST") return false;
    // The parent itself was removed under us.
    if (osCode(error) === "ENOENT") throw neverStill("write", path);
    throw error;
  }
}

/** Removes directories, deepest first, as far as nothing is in them; answers those removed. */
export function removeIfEmpty(root: Root, directories: readonly string[]): readonly string[] {
  const removed: string[] = [];
  try {
    for (const directory of directories.toReversed()) {
      if (!withParent(root, directory, (parent, name) => parent !== undefined && removeDirectory(parent, name))) break;
      removed.push(directory);
    }
  } catch (error) {
    // Behind a link by now, or the storage was closed: it is no longer ours to remove. Anything else is told.
    if (!isHangoError(error)) throw error;
  }
  return removed;
}

function removeDirectory(parent: Directory, name: string): boolean {
  try {
    rmdirSync(parent.at(name));
    return true;
  } catch (error) {
    if (stays.has(osCode(error) ?? "")) return false;
    throw error;
  }
}

/** Something is in it, it is gone or no directory, or this process may not. */
const stays: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "EBUSY", "EROFS"]);

/** Directories that are looked through before a name counts as taken. */
const MAX_EMPTY_DIRECTORIES = 1_000;

/** True when only empty directories stand on a name: nothing is there that list could show. */
export function holdsOnlyDirectories(parent: Directory, name: string): boolean {
  return below(parent, name, (directory) => isEmptyTree(directory, { directories: 0 }));
}

/** Removes the empty directories that stand on a name, so that a file may take it. False when something came to stand in them meanwhile. */
export function removeEmptyTree(parent: Directory, name: string): boolean {
  below(parent, name, emptyOut);
  return removeDirectory(parent, name);
}

function isEmptyTree(directory: Directory, counted: { directories: number }): boolean {
  counted.directories += 1;
  if (counted.directories > MAX_EMPTY_DIRECTORIES) return false;
  const names = subdirectories(directory);
  return names?.every((name) => below(directory, name, (child) => isEmptyTree(child, counted))) ?? false;
}

function emptyOut(directory: Directory): void {
  for (const name of subdirectories(directory) ?? []) {
    below(directory, name, emptyOut);
    removeDirectory(directory, name);
  }
}

function below<T>(directory: Directory, name: string, use: (child: Directory) => T): T {
  const child = directory.child(name);
  try {
    return use(child);
  } finally {
    child.close();
  }
}

/** The names in a directory that holds nothing but directories; undefined for any other, at its first other entry. */
function subdirectories(directory: Directory): readonly string[] | undefined {
  const listing = opendirSync(directory.self);
  try {
    const names: string[] = [];
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      if (!entry.isDirectory() || isHiddenName(entry.name) || names.length >= MAX_EMPTY_DIRECTORIES) return undefined;
      names.push(entry.name);
    }
    return names;
  } finally {
    listing.closeSync();
  }
}
