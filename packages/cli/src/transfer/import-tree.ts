/** Reads a directory into a namespace. */
import type { Namespace } from "hango";
import type { LoadOptions, LoadReport, PostgresStorage } from "hango/postgres";
import { allOrNothing } from "./all-or-nothing.ts";
import { readTree } from "./read-tree.ts";
import { type FoundFile, type Skipped, type Tree, type WalkOptions, walkTree } from "./walk-tree.ts";

export interface ImportReport extends LoadReport {
  /** Names that are never imported, if there were any. */
  readonly leftOut: readonly string[];
  /** What was not even given to the store, with the reason. */
  readonly skipped: readonly Skipped[];
  /** How many that is, when not all are named. */
  readonly skippedCount: number;
  /** Files that are not in the store though nobody asked to leave them out; links, pipes and devices are none. */
  readonly missing: number;
  /** How many files and directories the caller's rules passed by. */
  readonly passedBy: number;
}

export interface ImportOptions extends WalkOptions, Pick<LoadOptions, "overwrite" | "atomic" | "onProgress"> {
  /** Where in the namespace it goes: "" or "docs/". */
  readonly into?: string;
  readonly onFound?: (tree: Tree) => void;
  readonly onRead?: (file: FoundFile) => void;
}

export interface ImportTarget {
  readonly files: PostgresStorage;
  readonly namespace: Namespace;
}

/** Imports every regular file below `root` that a store can hold. Errors: those of a load; with `atomic`, invalid_content when there is something else. */
export async function importTree({ files, namespace }: ImportTarget, root: string, options: ImportOptions = {}): Promise<ImportReport> {
  const { into = "", onFound, onRead, overwrite, atomic, onProgress, ...walk } = options;
  const tree = await walkTree(root, walk);
  onFound?.(tree);
  const skipped = [...tree.skipped];
  const { signal } = options;
  const placed = tree.files.map((file) => ({ ...file, path: into + file.path }));
  const found = readTree(placed, { skipped, ...given({ onRead, signal }) });
  const source = atomic === true ? allOrNothing(found, () => ({ skipped, skippedCount: skipped.length })) : found;
  const report = await files.load(namespace, source, given({ overwrite, atomic, onProgress, signal }));
  return {
    ...report,
    leftOut: tree.leftOut,
    passedBy: tree.passedBy,
    skipped,
    skippedCount: skipped.length,
    missing: report.refused + skipped.filter(isMissing).length,
  };
}

/** True for a file that is left behind. */
export function isMissing({ isFile }: Skipped): boolean {
  return isFile !== false;
}

/** Without what is undefined, which an optional property does not take. */
export function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
