/** What a storage refuses to change whatever its state, asked before a change is made: an overlay then holds nothing that no commit can carry over. */
import type { HangoError } from "../errors.ts";
import type { Storage } from "../storage.ts";
import { sharedMap } from "./shared-map.ts";
import { shiftError } from "./shift-error.ts";
import type { Shown } from "./shift.ts";

/** Answers the error of any write or delete there, undefined where nothing speaks against one for good. */
type Forbids = (path: string) => Promise<HangoError | undefined>;

const known = (): WeakMap<Storage, Forbids> => sharedMap("hango.forbids");

/** Says what a storage never changes, and answers the storage. */
export function withForbidden(storage: Storage, forbids: Forbids): Storage {
  known().set(storage, forbids);
  return storage;
}

/** Asks a storage; most have nothing to say. */
export async function forbiddenIn(storage: Storage, path: string): Promise<HangoError | undefined> {
  return known().get(storage)?.(path);
}

/** Asks the storage below a layer, at its own path; the answer names the layer's. */
export async function forbiddenBelow(storage: Storage, path: string, shown: Shown): Promise<HangoError | undefined> {
  const error = await forbiddenIn(storage, path);
  return error && shiftError(error, shown);
}
