/** Which real directories a storage stands on, seen through every layer over it: two that overlap would be one tree under two names. */
import type { Storage } from "../storage.ts";
import { sharedMap } from "./shared-map.ts";

/** A directory of the machine, as it was when its storage was made. */
export interface DirectoryRoot {
  /** Absolute, every link resolved. */
  readonly realPath: string;
  /** Device and inode, "2049:131": the same directory whatever its name. */
  readonly id: string;
  /** The same of each directory above it, nearest first. */
  readonly above: readonly string[];
}

const known = (): WeakMap<Storage, readonly DirectoryRoot[]> => sharedMap("hango.roots");

/** Says on which directories a storage stands, and answers the storage. */
export function withRoots(storage: Storage, roots: readonly DirectoryRoot[]): Storage {
  if (roots.length > 0) known().set(storage, roots);
  return storage;
}

/** Says that a layer stands on whatever the storages below it stand on, and answers the layer. */
export function withRootsOf(layer: Storage, inner: readonly Storage[]): Storage {
  return withRoots(layer, inner.flatMap(rootsOf));
}

/** The directories a storage stands on; none for what is kept elsewhere. */
export function rootsOf(storage: Storage): readonly DirectoryRoot[] {
  return known().get(storage) ?? [];
}

/** True when one directory is the other or lies inside it. */
export function rootsOverlap(a: DirectoryRoot, b: DirectoryRoot): boolean {
  return a.id === b.id || a.above.includes(b.id) || b.above.includes(a.id);
}
