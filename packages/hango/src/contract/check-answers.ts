/** What an implementation answers, held against what was asked: hints in, checks out. They run inside callImplementation, which names the storage for an answer of any other shape. */
import { HangoError } from "../errors.ts";
import { isCovered, isCoveredAnyCase, isShown, reachesInto } from "../path/filter.ts";
import { comparePaths, isAtOrBelow } from "../path/path.ts";
import type { Entry, FileInfo, FilterOptions, ListOptions, PathFilter } from "../storage.ts";
import { isVersion } from "./check-options.ts";

/** A broken promise of an implementation. Errors: always internal, naming the storage and the rule. */
export function brokenRule(storage: string, op: string, rule: string): never {
  throw new HangoError("internal", `The storage "${storage}" broke a rule of ${op}: ${rule}.`, { op });
}

/** An empty, "." or ".." segment. */
const oddSegment: RegExp = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Checks a path: another spelling of a hidden one ("./a", "a//b") would slip past the filters, which compare bytes. */
export function checkPath(storage: string, op: string, path: string, asked?: string): string {
  if (typeof path !== "string" || oddSegment.test(path)) brokenRule(storage, op, "a path is relative and in its one form");
  if (asked !== undefined && path !== asked) brokenRule(storage, op, "it answers for the path that was asked");
  return path;
}

/** Checks the description of one file. */
export function checkInfo(storage: string, op: string, info: FileInfo, asked?: string): FileInfo {
  checkPath(storage, op, info.path, asked);
  if (typeof info.contentType !== "string") brokenRule(storage, op, "a file has a content type");
  if (!isVersion(info.version)) brokenRule(storage, op, "a version is 1 to 128 characters of A-Z a-z 0-9 . _ ~ -");
  if (!Number.isSafeInteger(info.sizeBytes) || info.sizeBytes < 0) brokenRule(storage, op, "sizeBytes is a whole number");
  return info;
}

/** Checks what stands at a path, and answers the path. */
export function checkEntry(storage: string, op: string, entry: Entry, asked?: string): string {
  if (entry.kind === "file") return checkInfo(storage, op, entry.info, asked).path;
  if (entry.kind !== "directory") brokenRule(storage, op, "an entry is a file or a directory");
  return checkPath(storage, op, entry.path, asked);
}

/** Keeps what was asked for, in order, and refuses an answer that is not ascending by UTF-8 bytes. `nameOf` checks a row and gives what is ordered. */
export function checkOrdered<T>(
  rows: readonly T[],
  options: {
    readonly nameOf: (row: T) => string;
    readonly keep: (row: T, name: string) => boolean;
    readonly limit: number | undefined;
    readonly storage: string;
    readonly op: string;
  },
): readonly T[] {
  const { nameOf, keep, limit = Number.POSITIVE_INFINITY, storage, op } = options;
  if (!Array.isArray(rows)) brokenRule(storage, op, "it answers a list");
  const kept: T[] = [];
  let previous: string | undefined;
  for (const row of rows as readonly T[]) {
    const name = nameOf(row);
    if (previous !== undefined && comparePaths(previous, name) >= 0)
      brokenRule(storage, op, "answers come in UTF-8 byte order, each once (comparePaths sorts them so)");
    previous = name;
    // A lazy implementation answers with more than the limit; its order is checked as far as it is used.
    if (kept.length >= limit) break;
    if (keep(row, name)) kept.push(row);
  }
  return kept;
}

/** True for what `list` with these options may answer. */
export function isAsked(path: string, options: ListOptions): boolean {
  const { prefix, after, filters } = options;
  if (prefix !== undefined && !isAtOrBelow(path, prefix)) return false;
  if (after !== undefined && comparePaths(path, after) <= 0) return false;
  return isShown(path, filters);
}

/**
 * False when no file below the directory can show, so that its very name stays hidden.
 * A directory of which a part may show is answered for by the storage, which knows the files.
 */
export function directoryMayShow(directory: string, filters: readonly PathFilter[] | undefined): boolean {
  const inside = `${directory}/`;
  return (filters ?? []).every(({ hide, hideAnyCase = [], show }) => {
    const hidden = isCovered(inside, hide) || isCoveredAnyCase(inside, hideAnyCase);
    return !hidden || isCovered(inside, show) || reachesInto(inside, show);
  });
}

/** The options with an `onSkip` that is told nothing of hidden files, nor of files that were not asked for. */
export function withSafeSkip<T extends FilterOptions>(options: T, root: string): T {
  const { onSkip, filters } = options;
  if (onSkip === undefined) return options;
  return {
    ...options,
    onSkip: (path: string, reason: string): void => {
      if (isAtOrBelow(path, root) && isShown(path, filters)) onSkip(path, reason);
    },
  };
}
