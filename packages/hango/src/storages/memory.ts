/** A complete storage in memory: the reference that the others are held against. */
import { notFound } from "../errors.ts";
import { defineStorage } from "../contract/define-storage.ts";
import { makePace } from "../contract/pace.ts";
import { alreadyExists, conflict, notADirectory, notAFile, staleMutations } from "../contract/refusals.ts";
import { sortedPaths, type SortedPaths } from "../contract/sorted-paths.ts";
import { storedContentType } from "../path/content-type.ts";
import { isShown } from "../path/filter.ts";
import { ancestorsOf, comparePaths } from "../path/path.ts";
import { uuidV7 } from "../path/uuid.ts";
import type { FileInfo, ListOptions, Mutation, Storage, Version } from "../storage.ts";
import { findAll } from "../text/find.ts";
import { decodeText } from "../text/utf8.ts";

/** Files live as long as the object. Atomicity: every change is one step, because none of them waits. */
export function memoryStorage(): Storage {
  const files: Files = { rows: new Map(), keys: sortedPaths() };
  return defineStorage({
    name: "memory",
    list: async (options = {}) => [...listed(files, options)].map(({ info }) => ({ ...info })),
    read: async (path) => {
      const row = files.rows.get(path) ?? refuseMissing(files, path);
      return { info: { ...row.info }, bytes: row.bytes };
    },
    write: async (path, bytes, options = {}) => {
      checkWrite(files, path, options.ifVersion);
      return { ...put(files, path, bytes, options.contentType) };
    },
    delete: async (path, { ifVersion } = {}) => {
      const row = files.rows.get(path);
      if (ifVersion !== undefined && row?.info.version !== ifVersion) refuseStale(files, path, row?.info.version);
      if (row === undefined) refuseMissing(files, path);
      remove(files, path);
    },
    apply: async (mutations) => applyAll(files, mutations),
    search: {
      syntax: "Case-insensitive substring of a file's text.",
      paths: async (query, options = {}) => searchPaths(files, query, options),
    },
  });
}

interface Row {
  readonly info: FileInfo;
  readonly bytes: Uint8Array;
}

interface Files {
  readonly rows: Map<string, Row>;
  readonly keys: SortedPaths;
}

function* listed(files: Files, options: ListOptions): Generator<Row, void> {
  const { prefix, after = "", filters, limit = Number.POSITIVE_INFINITY } = options;
  let left = limit;
  for (const path of pathsFrom(files, prefix, after)) {
    if (left === 0) return;
    if (!isShown(path, filters)) continue;
    left -= 1;
    yield files.rows.get(path) as Row;
  }
}

/** The path itself, then what is below it, as far as they come after `after`: "a.txt" stands between "a" and "a/b". */
function* pathsFrom(files: Files, prefix: string | undefined, after: string): Generator<string, void> {
  if (prefix === undefined) {
    yield* files.keys.after(after);
    return;
  }
  if (files.rows.has(prefix) && comparePaths(prefix, after) > 0) yield prefix;
  const inside = `${prefix}/`;
  for (const path of files.keys.after(comparePaths(inside, after) > 0 ? inside : after)) {
    if (!path.startsWith(inside)) return;
    yield path;
  }
}

function refuseMissing(files: Files, path: string): never {
  throw hasBelow(files, path) ? notAFile(path) : notFound(path);
}

/** A directory that stands there now says more than that the file is gone. */
function refuseStale(files: Files, path: string, current: Version | undefined): never {
  throw current === undefined && hasBelow(files, path) ? notAFile(path) : conflict(path, current);
}

function hasBelow(files: Files, path: string, gone: ReadonlySet<string> = new Set()): boolean {
  for (const below of pathsFrom(files, path, path)) if (!gone.has(below)) return true;
  return false;
}

/** `gone` are the paths that the same apply deletes. */
function checkPlace(files: Files, path: string, gone?: ReadonlySet<string>): void {
  const above = ancestorsOf(path).find((ancestor) => files.rows.has(ancestor) && gone?.has(ancestor) !== true);
  if (above !== undefined) throw notADirectory(path, above);
  if (hasBelow(files, path, gone)) throw notAFile(path);
}

function checkWrite(files: Files, path: string, ifVersion: Version | "absent" | undefined): void {
  const current = files.rows.get(path)?.info.version;
  if (ifVersion === "absent" && current !== undefined) throw alreadyExists(path, current);
  if (ifVersion !== undefined && ifVersion !== "absent" && current !== ifVersion) refuseStale(files, path, current);
  if (current === undefined) checkPlace(files, path);
}

function put(files: Files, path: string, bytes: Uint8Array, given: string | undefined): FileInfo {
  const old = files.rows.get(path)?.info;
  const contentType = storedContentType({
    given,
    kept: old?.contentType,
    path,
    // Looked at only when nothing else decides.
    get isText(): boolean {
      return decodeText(bytes) !== undefined;
    },
  });
  const now = new Date();
  const info: FileInfo = { path, sizeBytes: bytes.length, contentType, version: nextVersion(old?.version), createdAt: old?.createdAt ?? now, updatedAt: now };
  files.rows.set(path, { info, bytes });
  if (old === undefined) files.keys.add(path);
  return info;
}

/** Row id and row version: a file made again never has a token of the one before. */
function nextVersion(old: Version | undefined): Version {
  if (old === undefined) return `${uuidV7()}.1`;
  const dot = old.lastIndexOf(".");
  return `${old.slice(0, dot)}.${Number(old.slice(dot + 1)) + 1}`;
}

function remove(files: Files, path: string): void {
  files.rows.delete(path);
  files.keys.delete(path);
}

function applyAll(files: Files, mutations: readonly Mutation[]): readonly FileInfo[] {
  const existing: string[] = [];
  const stale: string[] = [];
  for (const mutation of mutations) {
    const current = files.rows.get(mutation.path)?.info.version;
    if (mutation.kind === "create") {
      if (current !== undefined) existing.push(mutation.path);
    } else if (current === undefined || (mutation.ifVersion !== undefined && mutation.ifVersion !== current)) stale.push(mutation.path);
  }
  if (existing.length + stale.length > 0) throw staleMutations(existing, stale);
  const gone = new Set(mutations.filter(({ kind }) => kind === "delete").map(({ path }) => path));
  for (const { kind, path } of mutations) if (kind === "create") checkPlace(files, path, gone);
  for (const path of gone) remove(files, path);
  return mutations.flatMap((mutation) => (mutation.kind === "delete" ? [] : [{ ...put(files, mutation.path, mutation.bytes, mutation.contentType) }]));
}

/** Reads a list of paths made at the start, because it gives way to others between files. */
async function searchPaths(files: Files, query: string, options: ListOptions): Promise<readonly string[]> {
  const { limit = Number.POSITIVE_INFINITY, signal, ...rest } = options;
  const wanted = query.toLowerCase();
  const pace = makePace(signal);
  const found: string[] = [];
  for (const { info } of Array.from(listed(files, rest))) {
    if (found.length >= limit) break;
    const row = files.rows.get(info.path);
    await pace(row?.bytes.length ?? 1);
    const text = row && decodeText(row.bytes)?.toLowerCase();
    if (text !== undefined && findAll(text, wanted).starts > 0) found.push(info.path);
  }
  return found;
}
