/** What an implementation answers, held against what was asked: hints in, checks out. */
import { HangoError } from "../errors.ts";
import { isShown, startsWithAnyCase } from "../path/filter.ts";
import { comparePaths, isBelow } from "../path/path.ts";
import type { FileInfo, FilterOptions, ListOptions, PathFilter } from "../storage.ts";
import { isVersion } from "./check-options.ts";

/** A broken promise of an implementation. Errors: always internal, naming the storage and the rule. */
export function brokenRule(storage: string, op: string, rule: string): never {
  throw new HangoError("internal", `The storage "${storage}" broke a rule of ${op}: ${rule}.`, { op });
}

/** Checks the description of one file. */
export function checkInfo(storage: string, op: string, info: FileInfo, path?: string): FileInfo {
  if (typeof info?.path !== "string" || info.path === "" || info.path.startsWith("/")) brokenRule(storage, op, "a file has a relative path");
  if (path !== undefined && info.path !== path) brokenRule(storage, op, "it answers for the path that was asked");
  if (!isVersion(info.version)) brokenRule(storage, op, "a version is 1 to 128 characters of A-Z a-z 0-9 . _ ~ -");
  if (!Number.isSafeInteger(info.sizeBytes) || info.sizeBytes < 0) brokenRule(storage, op, "sizeBytes is a whole number");
  return info;
}

/** Keeps what was asked for, in order, and refuses an answer that is not ascending by UTF-8 bytes. `nameOf` gives what is ordered. */
export function checkOrdered<T>(
  rows: readonly T[],
  options: {
    readonly nameOf: (row: T) => string;
    readonly keep: (row: T) => boolean;
    readonly limit: number | undefined;
    readonly storage: string;
    readonly op: string;
  },
): readonly T[] {
  const { nameOf, keep, limit = Number.POSITIVE_INFINITY, storage, op } = options;
  const kept: T[] = [];
  let previous: string | undefined;
  for (const row of rows) {
    const name = nameOf(row);
    if (previous !== undefined && comparePaths(previous, name) >= 0) brokenRule(storage, op, "answers come in UTF-8 byte order, each once");
    previous = name;
    // A lazy implementation answers with more than the limit; its order is checked as far as it is used.
    if (kept.length >= limit) break;
    if (keep(row)) kept.push(row);
  }
  return kept;
}

/** True for what `list` with these options may answer. */
export function isAsked(path: string, options: ListOptions): boolean {
  const { prefix, after, filters } = options;
  if (prefix !== undefined && path !== prefix && !isBelow(path, prefix)) return false;
  if (after !== undefined && comparePaths(path, after) <= 0) return false;
  return isShown(path, filters);
}

/**
 * False when no file below the directory can show, so that its very name stays hidden.
 * A directory of which a part may show is answered for by the storage, which knows the files.
 */
export function directoryMayShow(directory: string, filters: readonly PathFilter[] | undefined): boolean {
  const inside = `${directory}/`;
  const covers = (entry: string): boolean => entry === "/" || (entry.endsWith("/") && inside.startsWith(entry));
  const coversAnyCase = (entry: string): boolean => entry === "/" || (entry.endsWith("/") && startsWithAnyCase(inside, entry));
  return (filters ?? []).every(({ hide, hideAnyCase = [], show }) => {
    const hidden = hide.some(covers) || hideAnyCase.some(coversAnyCase);
    return !hidden || show.some((entry) => covers(entry) || entry.startsWith(inside));
  });
}

/** The options with an `onSkip` that is told nothing of hidden files, nor of files that were not asked for. */
export function withSafeSkip<T extends FilterOptions>(options: T, root: string): T {
  const { onSkip, filters } = options;
  if (onSkip === undefined) return options;
  return {
    ...options,
    onSkip: (path: string, reason: string): void => {
      if ((path === root || isBelow(path, root)) && isShown(path, filters)) onSkip(path, reason);
    },
  };
}
