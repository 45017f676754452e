import { comparePaths } from "../path/path.ts";

export interface SortedPaths {
  readonly add: (path: string) => void;
  readonly delete: (path: string) => void;
  /** Every path after this one, in UTF-8 byte order; "" gives all. Don't change the set while reading. */
  readonly after: (path: string) => Generator<string, void>;
}

/** Paths in one chunk: a change moves at most so many, however large the set is. */
const CHUNK_PATHS = 512;

/** A set of paths kept in order, so that a page of a listing costs its own length and not the whole tree's. */
export function sortedPaths(): SortedPaths {
  /** Never empty chunks, but for the only one. */
  const chunks: string[][] = [[]];

  /** The chunk that holds the path, or would. */
  function chunkOf(path: string): number {
    return Math.max(0, firstFrom(chunks.length, (index) => comparePaths(chunks[index]?.[0] ?? "", path) > 0) - 1);
  }

  function placeIn(chunk: readonly string[], path: string): number {
    return firstFrom(chunk.length, (index) => comparePaths(chunk[index] as string, path) >= 0);
  }

  return {
    add(path: string): void {
      const at = chunkOf(path);
      const chunk = chunks[at] as string[];
      const index = placeIn(chunk, path);
      if (chunk[index] === path) return;
      chunk.splice(index, 0, path);
      if (chunk.length > CHUNK_PATHS) chunks.splice(at + 1, 0, chunk.splice(CHUNK_PATHS / 2));
    },
    delete(path: string): void {
      const at = chunkOf(path);
      const chunk = chunks[at] as string[];
      const index = placeIn(chunk, path);
      if (chunk[index] !== path) return;
      chunk.splice(index, 1);
      if (chunk.length === 0 && chunks.length > 1) chunks.splice(at, 1);
    },
    *after(path: string): Generator<string, void> {
      let at = chunkOf(path);
      let index = placeIn(chunks[at] as string[], path);
      if (chunks[at]?.[index] === path) index += 1;
      for (; at < chunks.length; at++, index = 0) {
        const chunk = chunks[at] as string[];
        for (; index < chunk.length; index++) yield chunk[index] as string;
      }
    },
  };
}

/** The first index for which `holds`, when it holds from there on; else the length. */
function firstFrom(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
