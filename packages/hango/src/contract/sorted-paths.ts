import { comparePaths } from "../path/path.ts";
import { firstFrom } from "../text/first-from.ts";

export interface SortedPaths {
  readonly add: (path: string) => void;
  readonly delete: (path: string) => void;
  /** Every path after this one, in UTF-8 byte order; "" gives all. Don't change the set while reading. */
  readonly after: (path: string) => Generator<string, void>;
  /** The path itself, then what is below it, as far as they come after the cursor: "a.txt" stands between "a" and "a/b". Everything is under "". */
  readonly under: (path: string, cursor?: string) => Generator<string, void>;
}

/** Paths in one chunk: a change moves at most so many, however large the set is. */
const CHUNK_PATHS = 512;

/** A set of paths kept in order, so that a page of a listing costs its own length and not the whole tree's. */
export function sortedPaths(): SortedPaths {
  /** Never empty chunks, but for the only one. */
  const chunks: string[][] = [[]];

  /** Where the path is, or would be. */
  function find(path: string): { readonly at: number; readonly chunk: string[]; readonly index: number; readonly isHeld: boolean } {
    const at = Math.max(0, firstFrom(chunks.length, (one) => comparePaths(chunks[one]?.[0] ?? "", path) > 0) - 1);
    const chunk = chunks[at] as string[];
    const index = firstFrom(chunk.length, (one) => comparePaths(chunk[one] as string, path) >= 0);
    return { at, chunk, index, isHeld: chunk[index] === path };
  }

  function* after(path: string): Generator<string, void> {
    const start = find(path);
    let { at, index } = start;
    if (start.isHeld) index += 1;
    for (; at < chunks.length; at++, index = 0) {
      const chunk = chunks[at] as string[];
      for (; index < chunk.length; index++) yield chunk[index] as string;
    }
  }

  return {
    add(path: string): void {
      const { at, chunk, index, isHeld } = find(path);
      if (isHeld) return;
      chunk.splice(index, 0, path);
      if (chunk.length > CHUNK_PATHS) chunks.splice(at + 1, 0, chunk.splice(CHUNK_PATHS / 2));
    },
    delete(path: string): void {
      const { at, chunk, index, isHeld } = find(path);
      if (!isHeld) return;
      chunk.splice(index, 1);
      if (chunk.length === 0 && chunks.length > 1) chunks.splice(at, 1);
    },
    after,
    *under(path: string, cursor = ""): Generator<string, void> {
      if (path === "") return yield* after(cursor);
      if (find(path).isHeld && comparePaths(path, cursor) > 0) yield path;
      const inside = `${path}/`;
      for (const below of after(comparePaths(inside, cursor) > 0 ? inside : cursor)) {
        if (!below.startsWith(inside)) return;
        yield below;
      }
    },
  };
}
