/** A complete storage in memory: the reference that the others are held against. */
import { defineStorage } from "../contract/define-storage.ts";
import { fileTable, type FileTable, hasBelow, listRows, refuseMissing, rowAt, searchRows, SUBSTRING_SYNTAX } from "../contract/file-table.ts";
import { newInfo } from "../contract/new-info.ts";
import { alreadyExists, conflict, notADirectory, notAFile, refuseStaleMutations } from "../contract/refusals.ts";
import { ancestorsOf } from "../path/path.ts";
import { uuidV7 } from "../path/uuid.ts";
import type { FileInfo, Mutation, Storage, Version } from "../storage.ts";

/** Files live as long as the object. Atomicity: every change is one step, because none of them waits. */
export function memoryStorage(): Storage {
  const files = fileTable();
  return defineStorage({
    name: "memory",
    list: async (options = {}) => [...listRows(files, options)].map(({ info }) => ({ ...info })),
    read: async (path) => {
      const { info, bytes } = rowAt(files, path);
      return { info: { ...info }, bytes };
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
      syntax: SUBSTRING_SYNTAX,
      paths: (query, options = {}) => searchRows(files, query, options),
    },
  });
}

/** A directory that stands there now says more than that the file is gone. */
function refuseStale(files: FileTable, path: string, current: Version | undefined): never {
  throw current === undefined && hasBelow(files, path) ? notAFile(path) : conflict(path, current);
}

/** `gone` are the paths that the same apply deletes. */
function checkPlace(files: FileTable, path: string, gone?: ReadonlySet<string>): void {
  const above = ancestorsOf(path).find((ancestor) => files.rows.has(ancestor) && gone?.has(ancestor) !== true);
  if (above !== undefined) throw notADirectory(path, above);
  if (hasBelow(files, path, gone)) throw notAFile(path);
}

function checkWrite(files: FileTable, path: string, ifVersion: Version | "absent" | undefined): void {
  const current = files.rows.get(path)?.info.version;
  if (ifVersion === "absent" && current !== undefined) throw alreadyExists(path, current);
  if (ifVersion !== undefined && ifVersion !== "absent" && current !== ifVersion) refuseStale(files, path, current);
  if (current === undefined) checkPlace(files, path);
}

function put(files: FileTable, path: string, bytes: Uint8Array, contentType: string | undefined): FileInfo {
  const old = files.rows.get(path)?.info;
  const info = newInfo({ path, bytes, contentType }, nextVersion(old?.version), old);
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

function remove(files: FileTable, path: string): void {
  files.rows.delete(path);
  files.keys.delete(path);
}

function applyAll(files: FileTable, mutations: readonly Mutation[]): readonly FileInfo[] {
  refuseStaleMutations(mutations, (path) => files.rows.get(path)?.info.version);
  const gone = new Set(mutations.filter(({ kind }) => kind === "delete").map(({ path }) => path));
  for (const { kind, path } of mutations) if (kind === "create") checkPlace(files, path, gone);
  for (const path of gone) remove(files, path);
  return mutations.flatMap((mutation) => (mutation.kind === "delete" ? [] : [{ ...put(files, mutation.path, mutation.bytes, mutation.contentType) }]));
}
