/** Which storage owns a path. The longest prefix does, so every path has one owner and nothing stands under two names. */
import { HangoError, shownPath } from "../../errors.ts";
import { ancestorsOf, isAtOrBelow, isBelow } from "../../path/path.ts";
import type { FilePath, FilterOptions, PathFilter, Storage } from "../../storage.ts";
import { cutPath, filtersBelow, joinPath, shiftOptions } from "../../contract/shift.ts";
import { namePaths } from "../../contract/refusals.ts";

/** One mounted storage. */
export interface Place {
  readonly prefix: FilePath | "";
  readonly storage: Storage;
  readonly readOnly: boolean;
  /** What it holds where another storage is mounted, in its own paths: hidden, whatever is asked. */
  readonly covered: readonly PathFilter[];
}

/** In byte order of prefixes, so an outer place comes before those inside it. */
export type Places = readonly Place[];

/** The filter that hides a place's own files under the prefixes inside it, and those whose name is a directory above such a prefix. */
export function coveredBy(prefix: string, prefixes: readonly string[]): readonly PathFilter[] {
  const inside = prefixes.filter((other) => isBelow(other, prefix)).map((other) => cutPath(prefix, other));
  if (inside.length === 0) return [];
  // Frozen: of a thousand mounts, isShown then looks a path up.
  return [{ hide: Object.freeze([...new Set(inside.flatMap((other) => [...ancestorsOf(other), other, `${other}/`]))]), show: [] }];
}

/** The place whose prefix is the longest one that the path is at or below. */
export function ownerOf(places: Places, path: string): Place | undefined {
  return places.findLast(({ prefix }) => isAtOrBelow(path, prefix));
}

/** The place that holds the file of a path. Errors: invalid_path for a path that no place owns, or that is a prefix. */
export function ownerOfFile(places: Places, path: string): Place {
  const owner = ownerOf(places, path);
  const shown = shownPath(path);
  if (owner === undefined) {
    const prefixes = namePaths(places.map(({ prefix }) => shownPath(prefix)));
    throw new HangoError("invalid_path", `Invalid path "${shown}": no storage is mounted there. Use a path below ${prefixes}.`, { path: shown });
  }
  if (owner.prefix === path)
    throw new HangoError("invalid_path", `Invalid path "${shown}": a storage is mounted there, so it is a directory. Name a file below it.`, { path: shown });
  return owner;
}

/** The places whose files can be at or below a directory: the one that owns it, and those mounted below. */
export function placesIn(places: Places, directory: string): Places {
  const owner = ownerOf(places, directory);
  return places.filter((place) => place === owner || isBelow(place.prefix, directory));
}

/** The path of a place's file in the whole tree. */
export function shownBy({ prefix }: Place): (path: string) => string {
  return (path) => joinPath(prefix, path);
}

/** The options as the place's own storage takes them. */
export function optionsFor<T extends FilterOptions>(place: Place, options: T): T {
  return shiftOptions(options, [...filtersBelow(options.filters, place.prefix), ...place.covered], shownBy(place));
}
