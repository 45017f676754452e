/** Files in Postgres or PGlite. The root object can only bind a namespace: unscoped access can't be written down. */
import { defineStorage } from "../../contract/define-storage.ts";
import { parseNamespace } from "../../namespace/namespace.ts";
import type { FileData, Namespace, ScopedStorage, Storage } from "../../storage.ts";
import type { RecordedEvent } from "../../tenancy.ts";
import { type Database, driverOf } from "./database.ts";
import type { Driver } from "./driver/driver.ts";
import type { LoadFile } from "./load/chunk.ts";
import { type DumpOptions, dumpFiles } from "./load/dump.ts";
import { loadFiles, type LoadOptions } from "./load/load.ts";
import type { LeftFile, LoadReport } from "./load/report.ts";
import { applyMutations } from "./sql/apply-mutations.ts";
import { deleteFile } from "./sql/delete.ts";
import { eraseNamespace } from "./sql/erase.ts";
import { globPaths } from "./sql/glob.ts";
import { grepFiles } from "./sql/grep-files.ts";
import { readLines } from "./sql/lines.ts";
import { listFiles } from "./sql/list.ts";
import { lsDirectory } from "./sql/ls.ts";
import { type Pruned, type PruneOptions, pruneMachineFiles } from "./sql/prune.ts";
import { type Quota, setQuota, type Usage, usageOf } from "./sql/quota.ts";
import { readFile } from "./sql/read.ts";
import { eventsOf, type EventsOptions, recordEvent } from "./sql/record.ts";
import type { Scope } from "./sql/scope.ts";
import { statPath } from "./sql/stat.ts";
import { writeFile } from "./sql/write-file.ts";

export type { DumpOptions, EventsOptions, LeftFile, LoadFile, LoadOptions, LoadReport, Pruned, PruneOptions, Quota, Usage };

export interface PostgresStorage extends ScopedStorage<Namespace> {
  /** What the namespace holds and may hold. */
  readonly usage: (namespace: Namespace) => Promise<Usage>;
  /** Sets both limits, exact for this agent; one that is not given is lifted. Errors: quota_exceeded when more is in use already. */
  readonly setQuota: (namespace: Namespace, quota: Quota) => Promise<void>;
  /** Erases files, counts, quota and record of the namespace; answers what was in it. Atomicity: one transaction. */
  readonly erase: (namespace: Namespace) => Promise<{ readonly files: number; readonly bytes: number }>;
  /** Deletes machine files (stored tool results, conversations) of all sessions last written before a time. Atomicity: 500 files a transaction. */
  readonly prune: (namespace: Namespace, options: PruneOptions) => Promise<Pruned>;
  /** What was done and refused, newest first. */
  readonly events: (namespace: Namespace, options?: EventsOptions) => Promise<readonly RecordedEvent[]>;
  /**
   * Stores a stream of files as the owner's own hand; never over what is there, unless asked to. Errors: as the write of each; unsupported.
   * Atomicity: a few megabytes at a time, or all in one. An `atomic` load of what the same PGlite database answers meanwhile would wait for itself.
   */
  readonly load: (namespace: Namespace, files: AsyncIterable<LoadFile> | Iterable<LoadFile>, options?: LoadOptions) => Promise<LoadReport>;
  /** Every file with its content, in byte order, machine files included unless filtered. Atomicity: one snapshot on Postgres; on PGlite a megabyte at a time. */
  readonly dump: (namespace: Namespace, options?: DumpOptions) => AsyncIterable<FileData>;
}

/** Makes the storage of a database. Errors of every method: invalid_argument for a namespace that is not two UUIDs, before any SQL. */
export function postgresStorage(database: Database): PostgresStorage {
  return storageOver(driverOf(database));
}

/** The same over a driver. */
export function storageOver(driver: Driver): PostgresStorage {
  const bind = (namespace: Namespace): Scope => ({ driver, namespace: parseNamespace(namespace) });
  return {
    name: "postgres",
    scope: (namespace) => scopedStorage(bind(namespace)),
    usage: async (namespace) => usageOf(bind(namespace)),
    setQuota: async (namespace, quota) => setQuota(bind(namespace), quota),
    erase: async (namespace) => eraseNamespace(bind(namespace)),
    prune: async (namespace, options) => pruneMachineFiles(bind(namespace), options),
    events: async (namespace, options) => eventsOf(bind(namespace), options),
    load: async (namespace, files, options) => loadFiles(bind(namespace), files, options),
    dump: (namespace, options) => dumpFiles(bind(namespace), options),
  };
}

function scopedStorage(scope: Scope): Storage {
  const { regex } = scope.driver.capabilities;
  return defineStorage({
    name: "postgres",
    list: (options) => listFiles(scope, options),
    read: (path, options) => readFile(scope, path, options),
    write: (path, bytes, options) => writeFile(scope, path, bytes, options),
    delete: (path, options) => deleteFile(scope, path, options),
    stat: (path, options) => statPath(scope, path, options),
    ls: (directory, options) => lsDirectory(scope, directory, options),
    lines: (path, query) => readLines(scope, path, query),
    // Without regular expressions of the server's own, both are derived: matched here over pages.
    glob: regex ? (query) => globPaths(scope, query) : undefined,
    grep: regex ? (query) => grepFiles(scope, query) : undefined,
    apply: (mutations, options) => applyMutations(scope, mutations, options),
    record: (event, options) => recordEvent(scope, event, options),
  });
}
