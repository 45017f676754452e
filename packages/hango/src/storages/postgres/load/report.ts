/** What a load did, counted exactly, with the first of what it did not do by name. */
import { MAX_SKIPPED } from "../../../limits.ts";
import { shownPath } from "../../../errors.ts";

export interface LoadReport {
  /** New files. */
  readonly files: number;
  /** Files written over. */
  readonly replaced: number;
  /** Of both. */
  readonly bytes: number;
  /** Files that were there with the same bytes. */
  readonly unchanged: number;
  /** Files that were there with other bytes, and were left alone. */
  readonly kept: number;
  /** Files that were there with other bytes and are not older than those given; left alone, as "newer" asks. */
  readonly older: number;
  /** Files that can't be stored. */
  readonly refused: number;
  /** The first of those kept and refused, absolute paths. Limits: 100. */
  readonly left: readonly LeftFile[];
}

export interface LeftFile {
  readonly path: string;
  readonly reason: string;
  readonly kind: "kept" | "refused";
}

/** Why the database left a file out. */
export const REASONS: ReadonlyMap<string, string> = new Map([
  ["kept", "another file is there"],
  ["above", "a file is where its directory would be"],
  ["below", "a directory is there"],
]);

export interface Tally {
  /** Counts `files` of an outcome. */
  readonly count: (outcome: string, files: number, bytes: number) => void;
  readonly name: (path: string, kind: LeftFile["kind"], reason: string) => void;
  readonly report: () => LoadReport;
}

export function createTally(): Tally {
  const counts = { files: 0, replaced: 0, bytes: 0, unchanged: 0, kept: 0, older: 0, refused: 0 };
  const left: LeftFile[] = [];
  const columns: ReadonlyMap<string, keyof typeof counts> = new Map([
    ["new", "files"],
    ["over", "replaced"],
    ["same", "unchanged"],
    ["kept", "kept"],
    ["older", "older"],
    ["above", "refused"],
    ["below", "refused"],
    ["refused", "refused"],
  ]);
  return {
    count: (outcome, files, bytes) => {
      counts[columns.get(outcome) ?? "refused"] += files;
      if (outcome === "new" || outcome === "over") counts.bytes += bytes;
    },
    name: (path, kind, reason) => {
      if (left.length < MAX_SKIPPED) left.push({ path: shownPath(path), kind, reason });
    },
    report: () => ({ ...counts, left: [...left] }),
  };
}
