/** Compares two directories byte for byte. */
import { readFile } from "node:fs/promises";
import { type Change, comparePaths, contentTypeFor } from "hango";
import { type FoundFile, type WalkOptions, isUnreadable, walkTree } from "../transfer/walk-tree.ts";

/** Changes whose contents are kept; the others are counted. */
const MAX_CHANGES = 20;

export interface Comparison {
  readonly equal: number;
  /** What would turn the first tree into the second, in byte order of the paths: the first of them. */
  readonly changes: readonly Change[];
  readonly different: number;
}

export interface CompareOptions extends WalkOptions {
  /** Paths that the second tree has no reason to hold. */
  readonly unless?: ReadonlySet<string>;
}

/** Takes what an import of `before` takes, and everything in `after`. */
export async function compareTrees(before: string, after: string, { unless = new Set(), ...walk }: CompareOptions = {}): Promise<Comparison> {
  const [old, fresh] = [byPath((await walkTree(before, walk)).files), byPath((await walkTree(after, { all: true })).files)];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].toSorted(comparePaths);
  const changes: Change[] = [];
  let [equal, different] = [0, 0];
  for (const path of paths) {
    if (!fresh.has(path) && unless.has(path)) continue;
    const [previous, bytes] = [await bytesOf(old.get(path)), await bytesOf(fresh.get(path))];
    const change = changeOf(path, previous, bytes);
    if (previous === undefined && bytes === undefined) continue;
    if (change === undefined) equal += 1;
    else if (++different <= MAX_CHANGES) changes.push(change);
  }
  return { equal, changes, different };
}

function changeOf(path: string, previous: Uint8Array | undefined, bytes: Uint8Array | undefined): Change | undefined {
  const contentType = contentTypeFor(path) ?? "text/plain";
  if (bytes === undefined) return previous === undefined ? undefined : { kind: "delete", path, previous };
  if (previous === undefined) return { kind: "create", path, bytes, contentType };
  return Buffer.compare(previous, bytes) === 0 ? undefined : { kind: "modify", path, bytes, contentType, previous };
}

const byPath = (files: readonly FoundFile[]): ReadonlyMap<string, FoundFile> => new Map(files.map((file) => [file.path, file]));

/** None for what went away since it was found. */
async function bytesOf(file: FoundFile | undefined): Promise<Uint8Array | undefined> {
  if (file === undefined) return undefined;
  return readFile(file.location).catch((error: unknown) => {
    if (isUnreadable(error)) return undefined;
    throw error;
  });
}
