/** One tree seen from two places: the storage below calls a file "a.md", the layer above calls it "docs/a.md". */
import { startsWithAnyCase } from "../path/filter.ts";
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

export function shiftEntry(entry: Entry, shown: Shown): Entry {
  return entry.kind === "file" ? { kind: "file", info: shiftInfo(entry.info, shown) } : { kind: "directory", path: shown(entry.path) };
}

/** The options for the storage below: other filters, and an `onSkip` that is told the layer's paths. Everything else goes on as it is. */
export function shiftOptions<T extends FilterOptions>(options: T, filters: readonly PathFilter[], shown: Shown): T {
  const { onSkip } = options;
  return { ...options, filters, ...(onSkip === undefined ? {} : { onSkip: (path: string, reason: string): void => onSkip(shown(path), reason) }) };
}

/** Filters of the layer as they read below the directory, where its name is not part of a path. */
export function filtersBelow(filters: readonly PathFilter[] | undefined, directory: string): readonly PathFilter[] {
  if (filters === undefined || directory === "") return filters ?? [];
  const starts = (path: string, head: string): boolean => path.startsWith(head);
  return filters
    .map(({ hide, hideAnyCase, show }) => ({
      hide: entriesBelow(hide, directory, starts),
      show: entriesBelow(show, directory, starts),
      ...(hideAnyCase === undefined ? {} : { hideAnyCase: entriesBelow(hideAnyCase, directory, startsWithAnyCase) }),
    }))
    .filter(({ hide, hideAnyCase = [] }) => hide.length + hideAnyCase.length > 0);
}

function entriesBelow(entries: readonly string[], directory: string, starts: (path: string, head: string) => boolean): readonly string[] {
  const head = `${directory}/`;
  return entries.flatMap((entry) => {
    if (entry === "/" || (entry.endsWith("/") && starts(head, entry))) return ["/"];
    return entry.length > head.length && starts(entry, head) ? [entry.slice(head.length)] : [];
  });
}

/** Filters of a storage that is shown from a directory on, as they read from the root. What stands outside the directory is not their concern. */
export function filtersAbove(filters: readonly PathFilter[] | undefined, directory: string): readonly PathFilter[] {
  if (filters === undefined || directory === "") return filters ?? [];
  const above = (entries: readonly string[]): readonly string[] => entries.map((entry) => (entry === "/" ? "/" : `${directory}/${entry}`));
  return filters.map(({ hide, hideAnyCase, show }) => ({
    hide: above(hide),
    show: above(show),
    ...(hideAnyCase === undefined ? {} : { hideAnyCase: above(hideAnyCase) }),
  }));
}
