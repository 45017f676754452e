/** What a mount refuses before it exists: everything that would give a path two owners. */
import { assertStorage } from "../../contract/define-storage.ts";
import { rootsOf, rootsOverlap } from "../../contract/roots.ts";
import { checkOptionNames, HangoError, isObject, shownPath } from "../../errors.ts";
import { MAX_MOUNTS } from "../../limits.ts";
import { comparePaths, parseDirectory } from "../../path/path.ts";
import type { Storage } from "../../storage.ts";
import { coveredBy, type Place, type Places } from "./places.ts";

export interface Mount {
  /** "" for the root, "docs" for what is below docs. */
  readonly prefix: string;
  readonly storage: Storage;
  /** Refuses writes and deletes, whatever the storage supports. */
  readonly readOnly?: boolean;
}

export interface MountOptions {
  readonly mounts: readonly Mount[];
}

/** The mounts as places, outer ones first. Errors: invalid_path, invalid_argument. */
export function placesOf(options: MountOptions): Places {
  checkOptionNames("mountStorage", options, ["mounts"]);
  const { mounts } = options;
  if (!Array.isArray(mounts) || mounts.length === 0 || mounts.length > MAX_MOUNTS)
    throw new HangoError("invalid_argument", `mountStorage takes 1 to ${MAX_MOUNTS} mounts: { mounts: [{ prefix, storage }] }.`);
  const given = (mounts as readonly Mount[]).map(checkMount);
  const prefixes = given.map(({ prefix }) => prefix);
  const twice = prefixes.find((prefix, index) => prefixes.indexOf(prefix) < index);
  if (twice !== undefined) throw new HangoError("invalid_argument", `Two storages are mounted at ${shownPath(twice)}; each prefix takes one.`);
  checkRoots(given);
  return given.map((place) => ({ ...place, covered: coveredBy(place.prefix, prefixes) })).toSorted((a, b) => comparePaths(a.prefix, b.prefix));
}

function checkMount(mount: Mount): Omit<Place, "covered"> {
  if (!isObject(mount)) throw new HangoError("invalid_argument", "A mount is { prefix, storage, readOnly? }.");
  checkOptionNames("A mount", mount, ["prefix", "storage", "readOnly"]);
  const { prefix, readOnly = false, storage } = mount;
  const parsed = parseDirectory(prefix);
  assertStorage(storage, `What is mounted at ${shownPath(parsed)}`);
  if (typeof readOnly !== "boolean") throw new HangoError("invalid_argument", `readOnly of the mount at ${shownPath(parsed)} must be true or false.`);
  return { prefix: parsed, storage, readOnly };
}

/** One directory under two prefixes has every file twice, and a read-only one could be written through the other. */
function checkRoots(places: readonly Omit<Place, "covered">[]): void {
  const all = places.flatMap(({ prefix, storage }) => rootsOf(storage).map((root) => ({ prefix, root })));
  for (const [index, one] of all.entries()) {
    const other = all.slice(0, index).find(({ prefix, root }) => prefix !== one.prefix && rootsOverlap(root, one.root));
    if (other === undefined) continue;
    const [a, b] = [other, one].map(({ prefix, root }) => `${shownPath(prefix)} (${root.realPath})`);
    throw new HangoError("invalid_argument", `The storages mounted at ${a} and ${b} stand on directories that overlap. Mount directories that share nothing.`);
  }
}
