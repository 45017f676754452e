/** What layers are tried over: a storage for every set of traits, so that a layer shows what it takes from below. */
import { defineStorage } from "../../packages/hango/src/contract/define-storage.ts";
import { readOnly } from "../../packages/hango/src/contract/refusals.ts";
import { memoryStorage } from "../../packages/hango/src/storages/memory.ts";
import type { Storage, StorageImplementation } from "../../packages/hango/src/storage.ts";
import { SEED_FILE, SEED_TEXT, type Traits } from "./look.ts";

export interface Base {
  readonly traits: Traits;
  readonly implementation: StorageImplementation;
  readonly storage: Storage;
  readonly events: () => Promise<number>;
}

/** The directory that has the seed too, for what shows a part of a tree. */
export const SEED_DIRECTORY = "docs/";

const either = [true, false] as const;

/** Every set that can be: what refuses writes has no `apply`. */
export const ALL_TRAITS: readonly Traits[] = either.flatMap((writes) =>
  either.flatMap((apply) => either.flatMap((search) => either.flatMap((record) => (apply && !writes ? [] : [{ writes, apply, search, record }])))),
);

/** A new one that holds the seed. */
export async function freshBase(traits: Traits): Promise<Base> {
  const files = memoryStorage();
  for (const directory of ["", SEED_DIRECTORY]) await files.write(`${directory}${SEED_FILE}`, new TextEncoder().encode(SEED_TEXT));
  let events = 0;
  const implementation: StorageImplementation = {
    name: `base(${Object.entries(traits)
      .flatMap(([name, has]) => (has ? [name] : []))
      .join(" ")})`,
    list: (options) => files.list(options),
    read: (path, options) => files.read(path, options),
    write: traits.writes ? (path, bytes, options) => files.write(path, bytes, options) : (path) => Promise.reject(readOnly(path)),
    delete: traits.writes ? (path, options) => files.delete(path, options) : (path) => Promise.reject(readOnly(path)),
    apply: traits.apply ? files.apply : undefined,
    search: traits.search ? files.search : undefined,
    record: traits.record ? async () => void (events += 1) : undefined,
  };
  return { traits, implementation, storage: defineStorage(implementation), events: async () => events };
}
