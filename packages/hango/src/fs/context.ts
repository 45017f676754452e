/** What every operation starts from: the storage, the limits, and a path in storage form. */
import { HangoError } from "../errors.ts";
import type { DirEntry } from "../filesystem.ts";
import type { Limits } from "../limits.ts";
import { baseName, parseAgentPath, toAgentPath, toFilePath } from "../path/path.ts";
import type { Entry, FileInfo, FilePath, Storage } from "../storage.ts";

export interface FsContext {
  readonly storage: Storage;
  readonly limits: Limits;
}

/** Parses an agent path; the root is "". Errors: invalid_path names the broken rule. */
export function pathFor(fs: Pick<FsContext, "limits">, path: string): FilePath | "" {
  return toFilePath(parseAgentPath(path, { maxDepth: fs.limits.maxPathDepth }));
}

/** Reads a number that the caller may leave out. Errors: invalid_argument names what is not a whole number from `least` to `most`. */
export function wholeNumber(
  value: number | undefined,
  range: { readonly what: string; readonly least: number; readonly most?: number; readonly fallback: number },
): number {
  const { what, least, most = Number.MAX_SAFE_INTEGER, fallback } = range;
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const rule = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new HangoError("invalid_argument", `${what} must be a whole number ${rule}.`);
}

export function entryOfFile(info: FileInfo): DirEntry {
  const { path, sizeBytes, contentType, version, updatedAt } = info;
  return { name: baseName(path), path: toAgentPath(path), kind: "file", sizeBytes, contentType, version, ...(updatedAt === undefined ? {} : { updatedAt }) };
}

/** An entry as the caller sees it; the root is named "/". */
export function entryOf(entry: Entry): DirEntry {
  if (entry.kind === "file") return entryOfFile(entry.info);
  return { name: baseName(entry.path) || "/", path: toAgentPath(entry.path), kind: "directory" };
}
