/** What an overlay holds against its base: the files written, the files deleted, and what the base had at the first touch of each. */
import { sortedPaths, type SortedPaths } from "../../contract/sorted-paths.ts";
import type { FileInfo, ListOptions, PathFilter, Version } from "../../storage.ts";
import { isShown } from "../../path/filter.ts";

/** The base's file at the first change of its path. */
export interface Pin {
  readonly version: Version;
  readonly sizeBytes: number;
}

export interface HeldFile {
  readonly kind: "file";
  readonly path: string;
  readonly info: FileInfo;
  readonly bytes: Uint8Array;
  /** Absent: the base had no file there. */
  readonly pin?: Pin | undefined;
  /** Whether the bytes equal the pinned file's; undefined when that was not found out. */
  readonly isSame?: boolean | undefined;
}

export interface HeldDelete {
  readonly kind: "delete";
  readonly path: string;
  readonly pin: Pin;
}

export type Held = HeldFile | HeldDelete;

export interface Pending {
  readonly get: (path: string) => Held | undefined;
  readonly set: (held: Held) => void;
  readonly drop: (path: string) => void;
  readonly count: () => number;
  /** Of the files written. */
  readonly bytes: () => number;
  /** Everything held, in byte order. */
  readonly all: () => readonly Held[];
  /** The files written, as `list` answers them. */
  readonly list: (options?: ListOptions) => readonly FileInfo[];
  /** Every path held from `prefix` on and below it, so that the base does not answer for them: none, or one filter. */
  readonly hidden: (prefix: string) => readonly PathFilter[];
  /** Whether a delete is held of the same path in another spelling, which on a name-folding base is the same file. */
  readonly hasDeletedTwin: (path: string) => boolean;
  readonly copy: () => Pending;
}

/** Takes the entries of another, when given. */
export function createPending(from: readonly Held[] = []): Pending {
  const entries = new Map<string, Held>();
  const keys: SortedPaths = sortedPaths();
  /** Deletes by their folded path. */
  const deletes = new Map<string, Set<string>>();
  let bytes = 0;
  let everything: readonly PathFilter[] | undefined;

  function drop(path: string): void {
    const old = entries.get(path);
    if (old === undefined) return;
    everything = undefined;
    entries.delete(path);
    keys.delete(path);
    if (old.kind === "file") bytes -= old.bytes.length;
    else forget(path);
  }

  function forget(path: string): void {
    const twins = deletes.get(foldPath(path));
    twins?.delete(path);
    if (twins?.size === 0) deletes.delete(foldPath(path));
  }

  function set(held: Held): void {
    drop(held.path);
    everything = undefined;
    entries.set(held.path, held);
    keys.add(held.path);
    if (held.kind === "file") bytes += held.bytes.length;
    else {
      const folded = foldPath(held.path);
      deletes.set(folded, (deletes.get(folded) ?? new Set()).add(held.path));
    }
  }

  function list({ prefix = "", after, filters, limit = Number.POSITIVE_INFINITY }: ListOptions = {}): readonly FileInfo[] {
    const infos: FileInfo[] = [];
    for (const path of keys.under(prefix, after)) {
      if (infos.length >= limit) break;
      const held = entries.get(path);
      if (held?.kind === "file" && isShown(path, filters)) infos.push({ ...held.info });
    }
    return infos;
  }

  function hidden(prefix: string): readonly PathFilter[] {
    if (prefix !== "") return hiding([...keys.under(prefix)]);
    return (everything ??= hiding([...entries.keys()]));
  }

  for (const held of from) set(held);
  return {
    get: (path) => entries.get(path),
    set,
    drop,
    count: () => entries.size,
    bytes: () => bytes,
    all: () => Array.from(keys.after(""), (path) => entries.get(path) as Held),
    list,
    hidden,
    hasDeletedTwin: (path) => {
      const twins = deletes.get(foldPath(path));
      return twins !== undefined && (twins.size > 1 || !twins.has(path));
    },
    copy: () => createPending([...entries.values()]),
  };
}

/** The filter that leaves the paths out. Frozen, so that isShown may look a path up instead of walking the list. */
export function hiding(paths: readonly string[]): readonly PathFilter[] {
  return paths.length === 0 ? [] : [Object.freeze({ hide: Object.freeze(paths), show: Object.freeze([]) })];
}

/** Alike for all spellings that some file system takes for one name. Finding too many is harmless: the base's own listing decides. */
export function foldPath(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase();
}
