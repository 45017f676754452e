/** Files held in memory and in order: how they are listed, searched and told from directories. */
import { notFound } from "../errors.ts";
import { isShown } from "../path/filter.ts";
import type { FileInfo, ListOptions } from "../storage.ts";
import { findAll } from "../text/find.ts";
import { decodeText } from "../text/utf8.ts";
import { makePace } from "./pace.ts";
import { notAFile } from "./refusals.ts";
import { sortedPaths, type SortedPaths } from "./sorted-paths.ts";

export interface FileRow {
  readonly info: FileInfo;
  readonly bytes: Uint8Array;
}

export interface FileTable {
  readonly rows: Map<string, FileRow>;
  readonly keys: SortedPaths;
}

/** How a query of searchRows is written. */
export const SUBSTRING_SYNTAX = "Case-insensitive substring of a file's text.";

export function fileTable(): FileTable {
  return { rows: new Map(), keys: sortedPaths() };
}

/** The rows that `list` with these options answers, in order. */
export function* listRows(table: FileTable, options: ListOptions): Generator<FileRow, void> {
  const { prefix = "", after, filters, limit = Number.POSITIVE_INFINITY } = options;
  let left = limit;
  for (const path of table.keys.under(prefix, after)) {
    if (left === 0) return;
    if (!isShown(path, filters)) continue;
    left -= 1;
    yield table.rows.get(path) as FileRow;
  }
}

/** The row of a file. Errors: not_found; not_a_file for a directory. */
export function rowAt(table: FileTable, path: string): FileRow {
  return table.rows.get(path) ?? refuseMissing(table, path);
}

export function refuseMissing(table: FileTable, path: string): never {
  throw hasBelow(table, path) ? notAFile(path) : notFound(path);
}

/** True when some file, but for those in `gone`, is below the path. */
export function hasBelow(table: FileTable, path: string, gone: ReadonlySet<string> = new Set()): boolean {
  for (const below of table.keys.under(path, path)) if (!gone.has(below)) return true;
  return false;
}

/** Paths of text files that hold the query, whatever its case. Reads a list of rows made at the start, because it gives way to others between files. */
export async function searchRows(table: FileTable, query: string, options: ListOptions): Promise<readonly string[]> {
  const { limit = Number.POSITIVE_INFINITY, signal, ...rest } = options;
  const wanted = query.toLowerCase();
  const pace = makePace(signal);
  const found: string[] = [];
  for (const { info } of Array.from(listRows(table, rest))) {
    if (found.length >= limit) break;
    const row = table.rows.get(info.path);
    await pace(row?.bytes.length ?? 1);
    const text = row && decodeText(row.bytes)?.toLowerCase();
    if (text !== undefined && findAll(text, wanted).starts > 0) found.push(info.path);
  }
  return found;
}
