/** The upper tier: eight text operations on absolute paths, derived once from a Storage. Types only; fs/ has the code. */
import type { CallOptions, DeleteOptions, Version, WriteOptions } from "./storage.ts";

export interface DirEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "directory";
  readonly sizeBytes?: number;
  readonly contentType?: string;
  readonly version?: Version;
  readonly updatedAt?: Date;
}

/** Units: lines and columns are 1-based; characters are code points. */
export interface TextWindow {
  readonly path: string;
  readonly version: Version;
  readonly sizeBytes: number;
  readonly totalLines: number;
  readonly lines: readonly { readonly number: number; readonly text: string; readonly clipped: boolean }[];
  /** The line to go on from; absent at the end. */
  readonly nextOffset?: number;
  /** The column to go on from, when the last line shown was clipped. */
  readonly nextColumn?: number;
}

export interface EditResult {
  readonly path: string;
  readonly replacements: number;
  readonly version: Version;
  readonly sizeBytes: number;
  readonly diff: string;
}

export interface ReadOptions extends CallOptions {
  readonly offset?: number;
  readonly limit?: number;
  readonly column?: number;
}

export interface EditOptions extends CallOptions {
  readonly replaceAll?: boolean;
  readonly ifVersion?: Version;
}

export interface GrepOptions extends CallOptions {
  readonly path?: string;
  readonly include?: string;
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  readonly context?: number;
  readonly maxCount?: number;
}

export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface GlobResult {
  readonly paths: readonly string[];
  /** True only when something was dropped. */
  readonly truncated: boolean;
  /** Files that a storage could not name or read. */
  readonly skipped: readonly string[];
}

export interface GrepResult {
  readonly matches: readonly GrepMatch[];
  readonly truncated: boolean;
  /** Binary files, and files that a storage could not name or read. */
  readonly skipped: readonly string[];
}

export interface FileSystem {
  ls(path: string, options?: CallOptions & { readonly after?: string; readonly limit?: number }): Promise<readonly DirEntry[]>;
  stat(path: string, options?: CallOptions): Promise<DirEntry>;
  read(path: string, options?: ReadOptions): Promise<TextWindow>;
  write(path: string, text: string, options?: WriteOptions): Promise<DirEntry>;
  edit(path: string, oldText: string, newText: string, options?: EditOptions): Promise<EditResult>;
  glob(pattern: string, options?: CallOptions & { readonly root?: string; readonly maxCount?: number }): Promise<GlobResult>;
  grep(pattern: string, options?: GrepOptions): Promise<GrepResult>;
  delete(path: string, options?: DeleteOptions & { readonly recursive?: boolean }): Promise<void>;
}
