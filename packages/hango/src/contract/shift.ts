/** One tree seen from two places: the storage below calls a file "a.md", the layer above calls it "docs/a.md". */
import { startsWith, startsWithAnyCase } from "../path/filter.ts";
import type { Entry, FileInfo, FilterOptions, PathFilter } from "../storage.ts";

/** Turns a path of the storage below into the layer's own. */
export type Shown = (path: string) => string;

/** The path below a directory; "" is the root in both places. */
export function joinPath(directory: string, path: string): string {
  if (directory === "") return path;
  return path === "" ? directory : `${directory}/${path}`;
}

/** What is left of a path that is the directory or below it. */
export function cutPath(directory: string, path: string): string {
  return directory === "" ? path : path.slice(directory.length + 1);
}

export function shiftInfo(info: FileInfo, shown: Shown): FileInfo {
  return { ...info, path: shown(info.path) };
}

/** The same of an answer that carries an info. */
export function shiftAnswer<T extends { readonly info: FileInfo }>(answer: T, shown: Shown): T {
  return { ...answer, info: shiftInfo(answer.info, shown) };
}

export function shiftEntry(entry: Entry, shown: Shown): Entry {
  return entry.kind === "file" ? { kind: "file", info: shiftInfo(entry.info, shown) } : { kind: "directory", path: shown(entry.path) };
}

/** The options for the storage below: other filters, and an `onSkip` that is told the layer's paths. Everything else goes on as it is. */
export function shiftOptions<T extends FilterOptions>(options: T, filters: readonly PathFilter[], shown: Shown): T {
  const { onSkip } = options;
  return { ...options, filters, ...(onSkip === undefined ? {} : { onSkip: (path: string, reason: string): void => onSkip(shown(path), reason) }) };
}

/** Filters of the layer as they read below the directory, where its name is not part of a path. */
export function filtersBelow(filters: readonly PathFilter[] = [], directory: string): readonly PathFilter[] {
  if (directory === "") return filters;
  const head = `${directory}/`;
  const below = shifted(filters, `below ${head}`, (entry, starts) => {
    if (entry === "/" || (entry.endsWith("/") && starts(head, entry))) return ["/"];
    return entry.length > head.length && starts(entry, head) ? [entry.slice(head.length)] : [];
  });
  return below.filter(({ hide, hideAnyCase = [] }) => hide.length + hideAnyCase.length > 0);
}

/** Filters of a storage that is shown from a directory on, as they read from the root. What stands outside the directory is not their concern. */
export function filtersAbove(filters: readonly PathFilter[] = [], directory: string): readonly PathFilter[] {
  if (directory === "") return filters;
  return shifted(filters, `above ${directory}`, (entry) => [entry === "/" ? "/" : `${directory}/${entry}`]);
}

type Starts = (path: string, head: string) => boolean;

/** Of lists that can't change any more, by how they were shifted: a policy's thousands of paths once, and not for each call. */
const shiftedLists = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/** Answers frozen lists, in which isShown looks a path up. */
function shifted(filters: readonly PathFilter[], how: string, shift: (entry: string, starts: Starts) => readonly string[]): readonly PathFilter[] {
  const shiftList = (entries: readonly string[], starts: Starts, key: string): readonly string[] => {
    const known = shiftedLists.get(entries) ?? new Map<string, readonly string[]>();
    const list = known.get(key) ?? Object.freeze(entries.flatMap((entry) => shift(entry, starts)));
    if (Object.isFrozen(entries)) shiftedLists.set(entries, known.set(key, list));
    return list;
  };
  return filters.map(({ hide, hideAnyCase, show }) => ({
    hide: shiftList(hide, startsWith, how),
    show: shiftList(show, startsWith, how),
    ...(hideAnyCase && { hideAnyCase: shiftList(hideAnyCase, startsWithAnyCase, `any case ${how}`) }),
  }));
}
