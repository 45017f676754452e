/** The refusals that every storage, layer and file system words alike. Each takes either form of path and shows the absolute one. */
import { HangoError, shownPath } from "../errors.ts";
import type { Mutation, Version } from "../storage.ts";

/** Names that a message spells out before it only counts; `details.paths` holds them all. */
const NAMED_PATHS = 10;

/** A stale precondition. `currentVersion` is absent when the file is gone. */
export function conflict(path: string, currentVersion?: Version): HangoError {
  const shown = shownPath(path);
  const what = currentVersion === undefined ? "was deleted" : "changed";
  return new HangoError("conflict", `${shown} ${what} since you read it; re-read and retry.`, {
    path: shown,
    details: currentVersion === undefined ? {} : { currentVersion },
  });
}

/** A create over a file. */
export function alreadyExists(path: string, currentVersion?: Version): HangoError {
  const shown = shownPath(path);
  return new HangoError("already_exists", `${shown} already exists; read it first, then write over the version you read.`, {
    path: shown,
    details: currentVersion === undefined ? {} : { currentVersion },
  });
}

/** A directory, or the root, where a file is needed. `advice` says what to do instead. */
export function notAFile(path: string, advice = "Name a file below it."): HangoError {
  const shown = shownPath(path);
  return new HangoError("not_a_file", `${shown} is a directory. ${advice}`, { path: shown });
}

/** Something below `file`, which can hold nothing. `path` is what was asked for. */
export function notADirectory(path: string, file: string): HangoError {
  const shown = shownPath(path);
  const message = shown === shownPath(file) ? `${shown} is a file, not a directory.` : `${shownPath(file)} is a file, so ${shown} can't be below it.`;
  return new HangoError("not_a_directory", message, { path: shown });
}

/** A write or delete where nothing can be changed. */
export function readOnly(path: string): HangoError {
  const shown = shownPath(path);
  return new HangoError("read_only", `${shown} can't be changed: what stands there is read-only. Write to another place.`, { path: shown });
}

/** Content that is not valid UTF-8, or holds NUL, where a text operation needs text. */
export function notText(path: string): HangoError {
  const shown = shownPath(path);
  return new HangoError("not_text", `${shown} is binary, not UTF-8 text; text operations can't show or change it.`, { path: shown });
}

/** What `apply` answers when some precondition is stale: one error that names every such path. */
export function staleMutations(existing: readonly string[], stale: readonly string[]): HangoError {
  const paths = [...existing, ...stale].map(shownPath);
  const code = stale.length === 0 ? "already_exists" : "conflict";
  const reason = stale.length === 0 ? "already exist" : "changed since they were read, or exist where a new file was to be made";
  return new HangoError(code, `Nothing was applied: ${namePaths(paths)} ${reason}. Re-read them and retry.`, {
    ...(paths.length === 1 ? { path: paths[0] as string } : {}),
    details: { paths },
  });
}

/** Errors: as staleMutations, when some path of an `apply` is not at the version that its mutation names; `versionOf` gives the one it is at. */
export function refuseStaleMutations(mutations: readonly Mutation[], versionOf: (path: string, index: number) => Version | undefined): void {
  const existing: string[] = [];
  const stale: string[] = [];
  for (const [index, mutation] of mutations.entries()) {
    const { kind, path } = mutation;
    const current = versionOf(path, index);
    if (kind === "create") {
      if (current !== undefined) existing.push(path);
    } else if (current === undefined || (mutation.ifVersion !== undefined && mutation.ifVersion !== current)) stale.push(path);
  }
  if (existing.length + stale.length > 0) throw staleMutations(existing, stale);
}

/** "/a, /b and 3 more": what a message says of many shown paths. */
export function namePaths(shown: readonly string[]): string {
  const named = shown.slice(0, NAMED_PATHS).join(", ");
  return shown.length > NAMED_PATHS ? `${named} and ${shown.length - NAMED_PATHS} more` : named;
}
