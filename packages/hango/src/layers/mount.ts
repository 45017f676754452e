import { callOf } from "../contract/call-of.ts";
import { defineLayer } from "../contract/define-layer.ts";
import { forbiddenBelow, withForbidden } from "../contract/forbidden.ts";
import { notAFile, readOnly } from "../contract/refusals.ts";
import { withRootsOf } from "../contract/roots.ts";
import { cutPath, shiftAnswer, shiftInfo } from "../contract/shift.ts";
import { shiftingErrors } from "../contract/shift-error.ts";
import { notFound } from "../errors.ts";
import { isAtOrBelow, isBelow } from "../path/path.ts";
import type { CallOptions, FileEvent, FilePath, Storage, StorageImplementation } from "../storage.ts";
import { placesOf, type MountOptions } from "./mount/creation.ts";
import { ownerOf, ownerOfFile, shownBy, type Place, type Places } from "./mount/places.ts";
import { globPlaces, grepPlaces, listPlaces, lsPlaces, searchOf, statPlaces } from "./mount/queries.ts";

export type { Mount, MountOptions } from "./mount/creation.ts";

/**
 * Puts several storages into one tree. The longest prefix owns a path; its storage sees the path without the prefix. Files of an outer storage
 * under an inner prefix, or with the name of a directory above one, are not there. Closing it closes each storage once.
 * Errors: at creation invalid_path for a bad prefix, invalid_argument for one given twice, for no storage and for directories that overlap;
 * later invalid_path for a path that no mount owns or that is a prefix, read_only.
 * Atomicity: that of each storage; `apply` is there only with exactly one.
 */
export function mountStorage(options: MountOptions): Storage {
  const places = placesOf(options);
  const storages = [...new Set(places.map(({ storage }) => storage))];
  const layer = defineLayer({
    name: "mount",
    list: (call = {}) => listPlaces(places, call),
    read: async (path, call = {}) => {
      const place = await holderOf(places, path, call);
      return shifting(place, async () => shiftAnswer(await place.storage.read(cutPath(place.prefix, path), call), shownBy(place)));
    },
    write: async (path, bytes, call) => {
      const place = writableAt(places, path);
      if (isAboveMount(places, path)) throw notAFile(path, "A storage is mounted below it.");
      return shifting(place, async () => shiftInfo(await place.storage.write(cutPath(place.prefix, path), bytes, call), shownBy(place)));
    },
    delete: async (path, call = {}) => {
      writableAt(places, path);
      const place = await holderOf(places, path, call);
      await shifting(place, () => place.storage.delete(cutPath(place.prefix, path), call));
    },
    stat: (path, call = {}) => statPlaces(places, path, call),
    ls: (directory, call = {}) => lsPlaces(places, directory, call),
    lines: async (path, query) => {
      const place = await holderOf(places, path, query);
      return shifting(place, async () => shiftAnswer(await place.storage.lines(cutPath(place.prefix, path), query), shownBy(place)));
    },
    glob: (query) => globPlaces(places, query),
    grep: (query) => grepPlaces(places, query),
    search: searchOf(places),
    apply: applyOf(places),
    record: places.some(({ storage }) => storage.record !== undefined) ? (event, call) => recordAt(places, event, call) : undefined,
    close: storages.some(({ close }) => close !== undefined) ? once(() => closeAll(storages)) : undefined,
  });
  return withForbidden(withRootsOf(layer, storages), async (path) => {
    const place = ownerOf(places, path);
    return place && forbiddenBelow(place.storage, cutPath(place.prefix, path), shownBy(place));
  });
}

function shifting<T>(place: Place, run: () => Promise<T>): Promise<T> {
  return shiftingErrors(shownBy(place), run);
}

/** True for a name that is a directory because a storage is mounted further down. */
function isAboveMount(places: Places, path: string): boolean {
  return places.some(({ prefix }) => isBelow(prefix, path));
}

/** Errors: invalid_path, read_only. */
function writableAt(places: Places, path: FilePath): Place {
  const place = ownerOfFile(places, path);
  if (place.readOnly) throw readOnly(path);
  return place;
}

/** The place to ask for a file. Errors: invalid_path; not_a_file and not_found where only a directory can be. */
async function holderOf(places: Places, path: FilePath, options: CallOptions): Promise<Place> {
  const place = ownerOfFile(places, path);
  if (!isAboveMount(places, path)) return place;
  throw (await statPlaces(places, path, callOf(options))) === undefined ? notFound(path) : notAFile(path);
}

/** All or nothing can't be promised over two storages. */
function applyOf(places: Places): StorageImplementation["apply"] {
  const [place, second] = places;
  const apply = place?.storage.apply;
  if (place === undefined || second !== undefined || apply === undefined || place.readOnly) return undefined;
  return async (mutations, call) => {
    const below = mutations.map((mutation) => ({ ...mutation, path: cutPath(writableAt(places, mutation.path as FilePath).prefix, mutation.path) }));
    return shifting(place, async () => (await apply(below, call)).map((info) => shiftInfo(info, shownBy(place))));
  };
}

/** The owner keeps the row; where it keeps none, the nearest place around it that does. */
async function recordAt(places: Places, event: FileEvent, call?: CallOptions): Promise<void> {
  const place = places.findLast(({ prefix, storage }) => storage.record !== undefined && prefix !== event.path && isAtOrBelow(event.path, prefix));
  if (place === undefined) return;
  await shifting(place, async () => place.storage.record?.({ ...event, path: cutPath(place.prefix, event.path) }, call));
}

/** Closes all of them, also when one fails. */
async function closeAll(storages: readonly Storage[]): Promise<void> {
  const ends = await Promise.allSettled(storages.map(async ({ close }) => close?.()));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
