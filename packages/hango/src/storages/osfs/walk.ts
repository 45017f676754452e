/** Files below a directory in the byte order of their paths, described a few at a time. */
import { lstatSync, type BigIntStats } from "node:fs";
import { directoryMayShow } from "../../contract/check-answers.ts";
import { isShown } from "../../path/filter.ts";
import { comparePaths, parentOf } from "../../path/path.ts";
import type { FileInfo, FilterOptions, ListOptions } from "../../storage.ts";
import { readEntries, sortedEntries, type DirectoryEntry } from "./entries.ts";
import { withFound, type Found } from "./find.ts";
import { isDenied } from "./os-errors.ts";
import { DISK_WORK, type Root } from "./root.ts";
import { infoOf, isSettled, settle, type VersionOptions } from "./versions.ts";

/** Files described in one step. */
const BATCH = 128;

/** Lists what `list` with these options does, but for the limit. Holds nothing open while the caller has the turn. */
export async function* walkFiles(root: Root, options: ListOptions & VersionOptions): AsyncGenerator<readonly FileInfo[], void> {
  const { prefix = "", limit = BATCH } = options;
  const found = withFound(root, prefix, ({ kind }) => kind);
  if (found === "directory") return yield* walkBelow(root, prefix, { ...options, limit: Math.max(1, Math.min(limit, BATCH)) });
  if (found !== "file") return tellOf(prefix, found, options.onSkip);
  const infos = await describeFiles(root, [{ name: prefix, path: prefix, kind: "link" }], options);
  yield infos.filter(({ path }) => isWanted(path, options));
}

async function* walkBelow(
  root: Root,
  directory: string,
  options: ListOptions & VersionOptions & { readonly limit: number },
): AsyncGenerator<readonly FileInfo[], void> {
  const { after = "", filters, limit } = options;
  let files: DirectoryEntry[] = [];
  for (const entry of await sortedEntries(root, directory, options)) {
    if (entry.kind !== "directory") {
      if (isWanted(entry.path, options)) files.push(entry);
      if (files.length < limit) continue;
    } else if (!mayComeAfter(entry.path, after) || !directoryMayShow(entry.path, filters)) continue;
    if (files.length > 0) yield await describeFiles(root, files, options);
    files = [];
    if (entry.kind === "directory") yield* walkBelow(root, entry.path, options);
  }
  if (files.length > 0) yield await describeFiles(root, files, options);
}

function isWanted(path: string, { after = "", filters }: ListOptions): boolean {
  return comparePaths(path, after) > 0 && isShown(path, filters);
}

/** False when everything below the directory comes before `after`. */
function mayComeAfter(directory: string, after: string): boolean {
  const inside = `${directory}/`;
  return after.startsWith(inside) || comparePaths(inside, after) > 0;
}

/** True when a file that shows is somewhere below: a directory is there only then. */
export async function holdsFile(root: Root, directory: string, options: FilterOptions): Promise<boolean> {
  const { filters, signal } = options;
  const quiet: FilterOptions = { ...(filters === undefined ? {} : { filters }), ...(signal === undefined ? {} : { signal }) };
  const ahead = [directory];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    for await (const chunk of readEntries(root, next, quiet)) {
      for (const { kind, path } of chunk) {
        if (kind === "directory") {
          if (directoryMayShow(path, filters)) ahead.push(path);
        } else if (isShown(path, filters) && (kind === "file" || withFound(root, path, (found) => found.kind) === "file")) return true;
      }
    }
  }
  return false;
}

/**
 * Describes files of one directory; what is gone or no file by now is left out. One that changed within the kernel's last tick is looked at
 * again when that is over.
 */
export async function describeFiles(root: Root, entries: readonly DirectoryEntry[], options: FilterOptions & VersionOptions): Promise<readonly FileInfo[]> {
  const { onSkip, signal, versions } = options;
  await root.pace(entries.length * DISK_WORK.stat);
  signal?.throwIfAborted();
  const look = (tell: FilterOptions["onSkip"]): ReadonlyMap<string, BigIntStats> => statsOf(root, entries, tell);
  let stats = look(onSkip);
  if (versions !== "any" && [...stats.values()].some((one) => !isSettled(one))) {
    await settle(signal);
    stats = look(undefined);
  }
  return [...stats].map(([path, one]) => infoOf(path, one));
}

function statsOf(root: Root, entries: readonly DirectoryEntry[], onSkip: FilterOptions["onSkip"]): ReadonlyMap<string, BigIntStats> {
  const all = new Map<string, BigIntStats>();
  const [first] = entries;
  if (first === undefined) return all;
  withFound(root, parentOf(first.path), (parent) => {
    if (parent.kind !== "directory") return;
    for (const { kind, name, path } of entries) {
      try {
        const stats = kind === "file" ? lstatSync(parent.directory.at(name), { bigint: true, throwIfNoEntry: false }) : undefined;
        if (stats?.isFile() === true) all.set(path, stats);
        else if (kind === "link" || stats?.isSymbolicLink() === true)
          withFound(root, path, (found) => {
            if (found.kind === "file") all.set(path, found.stats);
            else tellOf(path, found.kind, onSkip);
          });
      } catch (error) {
        if (!isDenied(error)) throw error;
        onSkip?.(path, "could not be read");
      }
    }
  });
  return all;
}

/** Tells why a link or a path asked for is not listed; of what is not there, and of .git, nothing is said. */
function tellOf(path: string, kind: Found["kind"], onSkip: FilterOptions["onSkip"]): void {
  const reason = reasons.get(kind);
  if (reason !== undefined) onSkip?.(path, reason);
}

const reasons: ReadonlyMap<Found["kind"], string> = new Map([
  ["outside", "a link that leads outside the directory"],
  ["loop", "a link that leads back to itself"],
  ["directory", "a link to a directory, whose files are listed where they stand"],
  ["special", "not a regular file"],
]);
