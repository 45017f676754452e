/**
 * The lower tier: what an implementor writes (StorageImplementation) and what everyone else holds (Storage).
 * Paths are in storage form: relative, "docs/a.md"; the root is "". Content is bytes. Nothing here is code but the brand.
 */
import type { GlobPattern } from "./text/glob.ts";
import type { Pattern } from "./text/pattern/pattern.ts";

/** A canonical, relative path. Only the path module makes one, so an implementation never sees a raw string. */
export type FilePath = string & { readonly "hango.FilePath": true };

/** An opaque token for compare-and-swap, 1–128 of `[A-Za-z0-9._~-]`; compare it and send it back, never parse it. */
export type Version = string;

/** Who is behind a call. The guard sets actor and session, the tools set tool and call, a door sets the principal. */
export interface Origin {
  readonly actor: "agent" | "operator" | "system";
  readonly sessionId?: string;
  readonly principal?: string;
  readonly tool?: string;
  readonly toolCallId?: string;
}

export interface CallOptions {
  /** An abort rethrows `signal.reason`; a write that was already sent may still be applied. */
  readonly signal?: AbortSignal;
  /** Every layer passes it on unchanged. */
  readonly origin?: Origin;
}

export interface FileInfo {
  readonly path: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly version: Version;
  readonly createdAt?: Date;
  /** Absent when unknown. */
  readonly updatedAt?: Date;
}

export interface FileData {
  readonly info: FileInfo;
  readonly bytes: Uint8Array;
}

/**
 * Visibility as data. A path is hidden when an entry of `hide` or `hideAnyCase` matches it and no entry of `show` does.
 * "a/" matches everything below a, "a" the path itself, "/" everything. `hide` and `show` compare bytes, `hideAnyCase` ignores ASCII case.
 */
export interface PathFilter {
  readonly hide: readonly string[];
  readonly show: readonly string[];
  readonly hideAnyCase?: readonly string[];
}

export interface FilterOptions extends CallOptions {
  /** All must show. */
  readonly filters?: readonly PathFilter[];
  /** Told of each file that could not be listed or read, in storage form, with a short reason. */
  readonly onSkip?: (path: string, reason: string) => void;
}

export interface ListOptions extends FilterOptions {
  /** The path equals it, or starts with it + "/". */
  readonly prefix?: string;
  /** Only paths after this one, in byte order. */
  readonly after?: string;
  /** Counted after filters and `after`. */
  readonly limit?: number;
}

export interface WriteOptions extends CallOptions {
  /** Absent: kept from the file written over; else by extension; else text/plain or application/octet-stream. */
  readonly contentType?: string;
  /** The one precondition: a version (write only over that), "absent" (create only), none (last write wins). */
  readonly ifVersion?: Version | "absent";
}

export interface DeleteOptions extends CallOptions {
  readonly ifVersion?: Version;
}

/**
 * What `apply` takes: all or nothing. A path twice is invalid_argument, a create over a file already_exists, any other
 * stale version conflict, naming every such path. A "modify" without `ifVersion` needs a file that is there.
 */
export type Mutation =
  | { readonly kind: "create"; readonly path: string; readonly bytes: Uint8Array; readonly contentType?: string }
  | { readonly kind: "modify"; readonly path: string; readonly bytes: Uint8Array; readonly contentType?: string; readonly ifVersion?: Version }
  | { readonly kind: "delete"; readonly path: string; readonly ifVersion?: Version };

/** One row of the record: never content. */
export interface FileEvent {
  readonly action: "file.write" | "file.delete";
  readonly outcome: "ok" | "denied" | "failed";
  readonly path: string;
  readonly reason?: string;
  readonly version?: Version;
  readonly previousVersion?: Version;
  readonly sizeBytes?: number;
}

// ── accelerators: how fast, never what ───────────────────────────────────────────────────────────────

/** What stands at a path. A directory is implied by the files below it; its path has no trailing slash, the root's is "". */
export type Entry = { readonly kind: "file"; readonly info: FileInfo } | { readonly kind: "directory"; readonly path: string };

export interface LsOptions extends FilterOptions {
  /** Only entries after this name, in byte order; a directory's name ends in "/". */
  readonly after?: string;
  readonly limit?: number;
}

/** Units: lines and columns are 1-based, characters are code points. `column` is where the first line shown starts; the others start at 1. */
export interface LineQuery extends CallOptions {
  readonly offset: number;
  readonly limit: number;
  readonly column: number;
  readonly maxLineChars: number;
}

export interface LinePage {
  readonly info: FileInfo;
  readonly totalLines: number;
  /** Empty when `offset` is past the end. `text` is at most maxLineChars characters; `clipped` when more follow. */
  readonly lines: readonly { readonly number: number; readonly text: string; readonly clipped: boolean }[];
  /** Length of the line at `offset`, in code points; given when `column` is over 1. */
  readonly firstLineChars?: number;
}

export interface GlobQuery extends FilterOptions {
  readonly pattern: GlobPattern;
  /** A directory, "" for the root; the pattern is relative to it. */
  readonly root: string;
  readonly limit: number;
}

export interface GrepQuery extends FilterOptions {
  readonly pattern: Pattern;
  /** A directory, "" for the root, or one file. */
  readonly root: string;
  /** Relative to `root` (to its directory, when it is a file). */
  readonly include?: GlobPattern;
  /** Lines of context on each side. */
  readonly context: number;
  /** Lines, not files. */
  readonly limit: number;
  /** Files over it go to onSkip. Units: bytes. Default: what offload may store. */
  readonly maxBytes?: number;
}

export interface GrepHit {
  readonly path: string;
  readonly line: number;
  /** Where the leftmost match starts, in code points of the whole line. */
  readonly column: number;
  /** The line; over 500 characters, a window of 500 around the match. */
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** Derived once from the four methods by the contract; a storage brings its own only to be faster. */
export interface Accelerators<Path extends string> {
  /** What is there, or undefined. The root always is a directory. */
  readonly stat: (path: Path | "", options?: FilterOptions) => Promise<Entry | undefined>;
  /** What stands directly below a directory: byte order of names, a directory counted as its name with the slash. Empty when nothing does. */
  readonly ls: (directory: Path | "", options?: LsOptions) => Promise<readonly Entry[]>;
  /** Errors: not_found, not_text. */
  readonly lines: (path: Path, query: LineQuery) => Promise<LinePage>;
  /** Paths of files, byte order, at most `limit`. */
  readonly glob: (query: GlobQuery) => Promise<readonly string[]>;
  /** Matching lines by path, then line, at most `limit`. Binary files go to `onSkip`. Errors: timeout. */
  readonly grep: (query: GrepQuery) => Promise<readonly GrepHit[]>;
}

/** Features change what is possible: present or absent, and absent means absent. */
export interface Features {
  readonly search?: { readonly syntax: string; readonly paths: (query: string, options?: ListOptions) => Promise<readonly string[]> } | undefined;
  /** Infos of what was created or modified, in the order given. Atomicity: all or nothing. */
  readonly apply?: ((mutations: readonly Mutation[], options?: CallOptions) => Promise<readonly FileInfo[]>) | undefined;
  /** With it, write, delete and apply also record their ok row in the same transaction. Errors: unavailable when it can't be kept. */
  readonly record?: ((event: FileEvent, options?: CallOptions) => Promise<void>) | undefined;
  readonly close?: (() => Promise<void>) | undefined;
}

/** What an implementor writes: four methods over parsed paths, and whatever features and accelerators it has. */
export interface StorageImplementation extends Features, Partial<Undefinable<Accelerators<FilePath>>> {
  readonly name: string;
  /** Files in UTF-8 byte order of their paths. */
  readonly list: (options?: ListOptions) => Promise<readonly FileInfo[]>;
  /** Errors: not_found, not_a_file. */
  readonly read: (path: FilePath, options?: CallOptions) => Promise<FileData>;
  /** Errors: conflict, already_exists, not_a_file, not_a_directory, read_only, quota_exceeded. Atomicity: old or new content, never torn. */
  readonly write: (path: FilePath, bytes: Uint8Array, options?: WriteOptions) => Promise<FileInfo>;
  /** Errors: not_found, conflict, not_a_file, read_only. */
  readonly delete: (path: FilePath, options?: DeleteOptions) => Promise<void>;
}
type Undefinable<T> = { readonly [K in keyof T]: T[K] | undefined };

/** Set by defineStorage on what it returns; `Symbol.for`, so two copies of the library agree. */
export const storageBrand: unique symbol = Symbol.for("hango.Storage") as never;

/** What everyone else holds: plain strings, parsed at the door; every accelerator present. Only defineStorage and defineLayer make one. */
export interface Storage extends Features, Accelerators<string> {
  readonly [storageBrand]: true;
  readonly name: string;
  readonly list: (options?: ListOptions) => Promise<readonly FileInfo[]>;
  readonly read: (path: string, options?: CallOptions) => Promise<FileData>;
  readonly write: (path: string, bytes: Uint8Array, options?: WriteOptions) => Promise<FileInfo>;
  readonly delete: (path: string, options?: DeleteOptions) => Promise<void>;
}

/** An object that can only bind one scope: unscoped access can't be written down. */
export interface ScopedStorage<Scope> {
  readonly name: string;
  readonly scope: (scope: Scope) => Storage;
}

/** Who owns a tree. Both are UUIDs. */
export interface Namespace {
  readonly tenantId: string;
  readonly agentId: string;
}
