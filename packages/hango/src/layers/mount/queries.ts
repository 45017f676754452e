/** Everything that looks at more than one file: each place answers for its part, under one limit. */
import { entryName } from "../../contract/entry-name.ts";
import { cutPath, joinPath, shiftEntry, shiftInfo } from "../../contract/shift.ts";
import { shiftingErrors } from "../../contract/shift-error.ts";
import { comparePaths, isAtOrBelow, isBelow } from "../../path/path.ts";
import type { Entry, FileInfo, FilterOptions, GlobQuery, GrepHit, GrepQuery, ListOptions, LsOptions, StorageImplementation } from "../../storage.ts";
import { globBelow } from "../../text/glob-below.ts";
import { gather } from "./gather.ts";
import { optionsFor, ownerOf, placesIn, shownBy, type Place, type Places } from "./places.ts";

/** What list and search ask of one place; undefined when none of its files can be meant. */
function listingFor(place: Place, given: ListOptions, limit: number | undefined): ListOptions | undefined {
  const { prefix = "", after = "", ...options } = given;
  const start = place.prefix === "" ? "" : `${place.prefix}/`;
  const isInside = after.startsWith(start);
  // All its paths start with `start`, so a cursor that does not stands before or after all of them.
  if (!isInside && comparePaths(after, start) > 0) return undefined;
  const cursor = isInside ? after.slice(start.length) : "";
  return {
    ...optionsFor(place, options),
    ...(isBelow(prefix, place.prefix) ? { prefix: cutPath(place.prefix, prefix) } : {}),
    ...(cursor === "" ? {} : { after: cursor }),
    // Without a limit of the call there is none here.
    ...(limit === undefined ? {} : { limit }),
  };
}

export function listPlaces(places: Places, options: ListOptions): Promise<readonly FileInfo[]> {
  return gather(placesIn(places, options.prefix ?? ""), {
    limit: options.limit,
    pathOf: ({ path }: FileInfo) => path,
    ask: async (place, limit) => {
      const asked = listingFor(place, options, limit);
      return asked === undefined ? [] : (await place.storage.list(asked)).map((info) => shiftInfo(info, shownBy(place)));
    },
  });
}

/** Present when one place has it; a place without it has nothing to add. */
export function searchOf(places: Places): StorageImplementation["search"] {
  const searchable = places.filter(({ storage }) => storage.search !== undefined);
  if (searchable.length === 0) return undefined;
  const syntaxes = new Set(searchable.map(({ storage }) => storage.search?.syntax ?? ""));
  const where = ({ prefix }: Place): string => (prefix === "" ? "/" : `/${prefix}/`);
  const each = (): string => searchable.map((place) => `${where(place)}: ${place.storage.search?.syntax ?? ""}`).join(" ");
  const syntax = syntaxes.size === 1 ? [...syntaxes].join("") : each();
  const only = searchable.length === places.length ? "" : ` Only files below ${searchable.map(where).join(", ")} are searched.`;
  return {
    syntax: syntax + only,
    paths: (query, options = {}) =>
      gather(
        placesIn(places, options.prefix ?? "").filter((place) => searchable.includes(place)),
        {
          limit: options.limit,
          pathOf: (path: string) => path,
          ask: async (place, limit) => {
            const asked = listingFor(place, options, limit);
            return asked === undefined ? [] : ((await place.storage.search?.paths(query, asked)) ?? []).map(shownBy(place));
          },
        },
      ),
  };
}

/** Where a place starts to look, and what the pattern means there; undefined when it matches nothing. */
function patternFor<T extends GlobQuery["pattern"] | undefined>(
  place: Place,
  root: string,
  pattern: T,
): { readonly root: string; readonly pattern: T } | undefined {
  if (isAtOrBelow(root, place.prefix)) return { root: cutPath(place.prefix, root), pattern };
  if (pattern === undefined) return { root: "", pattern };
  const below = globBelow(pattern, cutPath(root, place.prefix));
  return below === undefined ? undefined : { root: "", pattern: below as T };
}

export function globPlaces(places: Places, query: GlobQuery): Promise<readonly string[]> {
  return gather(placesIn(places, query.root), {
    limit: query.limit,
    pathOf: (path: string) => path,
    ask: async (place, limit = query.limit) => {
      const asked = patternFor(place, query.root, query.pattern);
      return asked === undefined ? [] : (await place.storage.glob({ ...optionsFor(place, query), ...asked, limit })).map(shownBy(place));
    },
  });
}

export function grepPlaces(places: Places, query: GrepQuery): Promise<readonly GrepHit[]> {
  return gather(placesIn(places, query.root), {
    limit: query.limit,
    pathOf: ({ path }: GrepHit) => path,
    ask: async (place, limit = query.limit) => {
      const asked = patternFor(place, query.root, query.include);
      if (asked === undefined) return [];
      const include = asked.pattern === undefined ? {} : { include: asked.pattern };
      const hits = await place.storage.grep({ ...optionsFor(place, query), ...include, root: asked.root, limit });
      return hits.map((hit) => ({ ...hit, path: joinPath(place.prefix, hit.path) }));
    },
  });
}

/** The file, or a directory when some place has a file that shows at or below it. */
export async function statPlaces(places: Places, path: string, options: FilterOptions): Promise<Entry | undefined> {
  const owner = ownerOf(places, path);
  if (owner !== undefined && owner.prefix !== path) {
    const entry = await shiftingErrors(shownBy(owner), () => owner.storage.stat(cutPath(owner.prefix, path), optionsFor(owner, options)));
    if (entry !== undefined) return shiftEntry(entry, shownBy(owner));
  }
  const mounted = places.filter(({ prefix }) => isAtOrBelow(prefix, path));
  return (await anyShows(mounted, options)) ? { kind: "directory", path } : undefined;
}

/** What stands directly below: the owner's entries, and a directory for each name that leads to a place with a file that shows. */
export async function lsPlaces(places: Places, directory: string, options: LsOptions): Promise<readonly Entry[]> {
  const { after = "", limit = Number.POSITIVE_INFINITY, ...rest } = options;
  const owner = ownerOf(places, directory);
  const own =
    owner === undefined
      ? []
      : await shiftingErrors(shownBy(owner), async () =>
          (await owner.storage.ls(cutPath(owner.prefix, directory), optionsFor(owner, options))).map((entry) => shiftEntry(entry, shownBy(owner))),
        );
  const entries = new Map(own.map((entry) => [entryName(entry), entry]));
  for (const [name, mounted] of byName(places, directory)) {
    if (entries.has(name) || comparePaths(name, after) <= 0) continue;
    if (await anyShows(mounted, rest)) entries.set(name, { kind: "directory", path: joinPath(directory, name.slice(0, -1)) });
  }
  const sorted = [...entries].toSorted(([a], [b]) => comparePaths(a, b)).map(([, entry]) => entry);
  return sorted.slice(0, limit);
}

/** The names directly below a directory that lead to places, with their slash. */
function byName(places: Places, directory: string): ReadonlyMap<string, readonly Place[]> {
  const mounted = places.filter(({ prefix }) => isBelow(prefix, directory));
  return Map.groupBy(mounted, ({ prefix }) => `${cutPath(directory, prefix).split("/", 1).join("")}/`);
}

async function anyShows(places: Places, options: FilterOptions): Promise<boolean> {
  for (const place of places) {
    const entries = await shiftingErrors(shownBy(place), () => place.storage.ls("", { ...optionsFor(place, options), limit: 1 }));
    if (entries.length > 0) return true;
  }
  return false;
}
