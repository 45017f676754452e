/** The merged view: the base, without every path that is held, and what is held in its place. */
import { callOf } from "../../contract/call-of.ts";
import { deriveGlob } from "../../contract/derive/glob.ts";
import { deriveGrep } from "../../contract/derive/grep.ts";
import { deriveLines } from "../../contract/derive/lines.ts";
import { deriveLs } from "../../contract/derive/ls.ts";
import { entryName } from "../../contract/entry-name.ts";
import { notAFile } from "../../contract/refusals.ts";
import { type HangoError, isHangoError, notFound } from "../../errors.ts";
import { isShown } from "../../path/filter.ts";
import { comparePaths } from "../../path/path.ts";
import type {
  CallOptions,
  Entry,
  FileData,
  FileInfo,
  FilePath,
  FilterOptions,
  GlobQuery,
  GrepHit,
  GrepQuery,
  LinePage,
  LineQuery,
  ListOptions,
  LsOptions,
  Storage,
} from "../../storage.ts";
import type { Pending } from "./pending.ts";

/** One moment of an overlay. A commit or discard makes a new one, so a reader that began before sees the same tree to its end. */
export interface View {
  readonly base: Storage;
  readonly pending: Pending;
}

export interface BaseFile {
  readonly info?: FileInfo;
  /** The base has it under another spelling only, whose delete is held: a case-only rename. */
  readonly isFolded: boolean;
}

/** The base's file at a path in exactly this spelling; what is held is not looked at. */
export async function baseFile({ base, pending }: View, path: string, options: CallOptions): Promise<BaseFile> {
  const call = callOf(options);
  const entry = await base.stat(path, call);
  if (entry?.kind !== "file") return { isFolded: false };
  if (pending.hasDeletedTwin(path)) {
    const [listed] = await base.list({ ...call, prefix: path, limit: 1 });
    if (listed?.path !== path) return { isFolded: true };
  }
  return { info: entry.info, isFolded: false };
}

/** The base's file with its content; undefined when there is none. */
export async function readIfThere({ base }: View, path: string, options: CallOptions): Promise<FileData | undefined> {
  try {
    return await base.read(path, callOf(options));
  } catch (error) {
    if (isHangoError(error, "not_found") || isHangoError(error, "not_a_file")) return undefined;
    throw error;
  }
}

/** What the base is asked, with every path that is held left out of its answer. */
function unheld<T extends FilterOptions>({ pending }: View, root: string, options: T): T {
  const hidden = pending.hidden(root);
  return hidden.length === 0 ? options : { ...options, filters: [...(options.filters ?? []), ...hidden] };
}

export async function statView(view: View, path: FilePath | "", options: FilterOptions = {}): Promise<Entry | undefined> {
  const held = view.pending.get(path);
  if (held?.kind === "file" && isShown(path, options.filters)) return { kind: "file", info: { ...held.info } };
  const entry = await view.base.stat(path, unheld(view, path, options));
  if (entry?.kind === "directory") return entry;
  if (entry !== undefined && (!view.pending.hasDeletedTwin(path) || !(await baseFile(view, path, options)).isFolded)) return entry;
  return hasHeldBelow(view, path, options) ? { kind: "directory", path } : undefined;
}

function hasHeldBelow({ pending }: View, path: string, { filters = [] }: FilterOptions): boolean {
  return pending.list({ prefix: path, filters, limit: 2 }).some((info) => info.path !== path);
}

/** Why there is no file to read. */
export async function noFile(view: View, path: FilePath, options: CallOptions): Promise<HangoError> {
  const entry = await statView(view, path, callOf(options));
  return entry?.kind === "directory" ? notAFile(path) : notFound(path);
}

/** Asks the base for one file, unless it is deleted here. */
async function fromBase<T>(view: View, path: FilePath, options: CallOptions, ask: () => Promise<T>): Promise<T> {
  if (view.pending.get(path) !== undefined) throw await noFile(view, path, options);
  if (view.pending.hasDeletedTwin(path) && (await baseFile(view, path, options)).isFolded) throw await noFile(view, path, options);
  try {
    return await ask();
  } catch (error) {
    // The base also counts files that are deleted here, and not those that are held.
    throw isHangoError(error, "not_a_file") || isHangoError(error, "not_found") ? await noFile(view, path, options) : error;
  }
}

export async function readView(view: View, path: FilePath, options: CallOptions = {}): Promise<FileData> {
  const held = view.pending.get(path);
  if (held?.kind === "file") return { info: { ...held.info }, bytes: held.bytes };
  return fromBase(view, path, options, () => view.base.read(path, options));
}

export async function linesView(view: View, path: FilePath, query: LineQuery): Promise<LinePage> {
  const held = view.pending.get(path);
  if (held?.kind === "file") return deriveLines(async () => ({ info: { ...held.info }, bytes: held.bytes }), path, query);
  return fromBase(view, path, query, () => view.base.lines(path, query));
}

export async function listView(view: View, options: ListOptions = {}): Promise<readonly FileInfo[]> {
  // Of the moment when the base is asked: a page that lost a file to a later delete would be short, and taken for the last one.
  const held = view.pending.list(options);
  const found = await view.base.list(unheld(view, options.prefix ?? "", options));
  return merge(found, held, { nameOf: ownPath, limit: options.limit });
}

export async function lsView(view: View, directory: FilePath | "", options: LsOptions = {}): Promise<readonly Entry[]> {
  const found = await view.base.ls(directory, unheld(view, directory, options));
  const held = await deriveLs(heldList(view), directory, options);
  const pathOf = (entry: Entry): string => (entry.kind === "file" ? entry.info.path : `${entry.path}/`);
  return merge(withoutHeld(view, found, pathOf), held, { nameOf: entryName, limit: options.limit });
}

export async function globView(view: View, query: GlobQuery): Promise<readonly string[]> {
  const found = await view.base.glob(unheld(view, query.root, query));
  const held = await deriveGlob(heldList(view), query);
  const nameOf = (path: string): string => path;
  return merge(withoutHeld(view, found, nameOf), held, { nameOf, limit: query.limit });
}

export async function grepView(view: View, query: GrepQuery): Promise<readonly GrepHit[]> {
  const skipped: (readonly [path: string, reason: string])[] = [];
  const asked = query.onSkip === undefined ? query : { ...query, onSkip: (path: string, reason: string): void => void skipped.push([path, reason]) };
  const found = await view.base.grep(unheld(view, query.root, asked));
  const held = await deriveGrep({ list: heldList(view), read: (path, options) => readView(view, path as FilePath, options) }, asked);
  const hits = merge(withoutHeld(view, found, ownPath), held, { nameOf: ownPath, limit: query.limit });
  // What lies behind the last match shown was not looked at, as far as the caller can tell.
  const end = hits.length < query.limit ? undefined : hits.at(-1)?.path;
  for (const [path, reason] of skipped.toSorted(([a], [b]) => comparePaths(a, b)))
    if (end === undefined || comparePaths(path, end) <= 0) query.onSkip?.(path, reason);
  return hits;
}

function heldList({ pending }: View): Storage["list"] {
  return async (options) => pending.list(options);
}

function ownPath({ path }: { readonly path: string }): string {
  return path;
}

/** Also what was changed here while the base was asked. */
function withoutHeld<T>({ pending }: View, found: readonly T[], pathOf: (one: T) => string): readonly T[] {
  return pending.count() === 0 ? found : found.filter((one) => pending.get(pathOf(one)) === undefined);
}

/** Two ordered lists as one. A name in both, which only a directory can be, is taken once. */
function merge<T>(found: readonly T[], held: readonly T[], options: { readonly nameOf: (one: T) => string; readonly limit: number | undefined }): readonly T[] {
  if (held.length === 0) return found;
  const { nameOf, limit = Number.POSITIVE_INFINITY } = options;
  const merged: T[] = [];
  for (let at = 0, own = 0; merged.length < limit && (at < found.length || own < held.length);) {
    const [one, other] = [found[at], held[own]];
    const order = one === undefined ? 1 : other === undefined ? -1 : comparePaths(nameOf(one), nameOf(other));
    merged.push((order < 0 ? one : other) as T);
    if (order <= 0) at += 1;
    if (order >= 0) own += 1;
  }
  return merged;
}
