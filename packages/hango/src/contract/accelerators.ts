/** Accelerators: the implementation's own, its answers held against the question; or the derived one. */
import { HangoError } from "../errors.ts";
import { MAX_GREP_CONTEXT } from "../limits.ts";
import { isShown } from "../path/filter.ts";
import { comparePaths, isAtOrBelow, isBelow, parentOf, parseDirectory, parseFilePath } from "../path/path.ts";
import type {
  Accelerators,
  Entry,
  FilterOptions,
  GlobQuery,
  GrepHit,
  GrepQuery,
  LinePage,
  LineQuery,
  LsOptions,
  PathFilter,
  StorageImplementation,
} from "../storage.ts";
import { type GlobMeter, type GlobPattern, matchGlob } from "../text/glob.ts";
import { codePointLength } from "../text/utf8.ts";
import { callImplementation } from "./call.ts";
import { brokenRule, checkEntry, checkInfo, checkOrdered, checkPath, directoryMayShow, withSafeSkip } from "./check-answers.ts";
import { checkCall, checkLsOptions, checkWhole } from "./check-options.ts";
import { deriveGlob } from "./derive/glob.ts";
import { deriveGrep } from "./derive/grep.ts";
import { deriveLines } from "./derive/lines.ts";
import { deriveLs } from "./derive/ls.ts";
import { deriveStat } from "./derive/stat.ts";
import { entryName } from "./entry-name.ts";
import { makePace } from "./pace.ts";
import { relativeTo } from "./relative.ts";
import type { Source } from "./source.ts";

export function defineAccelerators(implementation: StorageImplementation, source: Source): Accelerators<string> {
  const { name } = implementation;

  async function stat(path: string, options: FilterOptions = {}): Promise<Entry | undefined> {
    const op = "stat";
    const asked = parseDirectory(path);
    checkLsOptions(options);
    options.signal?.throwIfAborted();
    if (asked === "") return { kind: "directory", path: "" };
    const safe = withSafeSkip(options, asked);
    return callImplementation({ storage: name, op, path: asked, signal: options.signal }, async () => {
      const entry = await (implementation.stat === undefined ? deriveStat(source.list, asked, safe) : implementation.stat(asked, safe));
      if (entry === undefined) return undefined;
      checkEntry(name, op, entry, asked);
      return mayShow(entry, options.filters) ? entry : undefined;
    });
  }

  async function ls(directory: string, options: LsOptions = {}): Promise<readonly Entry[]> {
    const op = "ls";
    const asked = parseDirectory(directory);
    checkLsOptions(options);
    const { after, filters, limit, signal } = options;
    const safe = withSafeSkip(options, asked);
    const nameOf = (entry: Entry): string => {
      const path = checkEntry(name, op, entry);
      if (parentOf(path) !== asked) brokenRule(name, op, "an entry stands directly below the directory");
      return entryName(entry);
    };
    const keep = (entry: Entry, own: string): boolean => mayShow(entry, filters) && (after === undefined || comparePaths(own, after) > 0);
    return callImplementation({ storage: name, op, path: asked, signal }, async () => {
      const entries = await (implementation.ls === undefined ? deriveLs(source.list, asked, safe) : implementation.ls(asked, safe));
      return checkOrdered(entries, { nameOf, keep, limit, storage: name, op });
    });
  }

  async function lines(path: string, query: LineQuery): Promise<LinePage> {
    const op = "lines";
    const asked = parseFilePath(path);
    checkCall(query);
    checkWhole(query.offset, "offset", 1);
    checkWhole(query.limit, "limit", 0);
    checkWhole(query.column, "column", 1);
    checkWhole(query.maxLineChars, "maxLineChars", 1);
    return callImplementation({ storage: name, op, path: asked, signal: query.signal }, async () => {
      const page = await (implementation.lines === undefined ? deriveLines(source.read, asked, query) : implementation.lines(asked, query));
      checkInfo(name, op, page.info, asked);
      checkPage(name, page, query);
      return page;
    });
  }

  async function glob(query: GlobQuery): Promise<readonly string[]> {
    const op = "glob";
    checkLsOptions(query);
    const root = parseDirectory(query.root);
    checkWhole(query.limit, "limit", 0);
    const asked = withSafeSkip({ ...query, root }, root);
    const nameOf = (path: string): string => checkPath(name, op, path);
    return callImplementation({ storage: name, op, path: root, signal: query.signal }, async () => {
      const own = implementation.glob;
      const paths = await (own === undefined ? deriveGlob(source.list, asked) : own(asked));
      const matched = own === undefined ? undefined : await matching(paths, query.pattern, asked);
      const keep = (path: string): boolean => isBelow(path, root) && isShown(path, query.filters) && matched?.has(path) !== false;
      return checkOrdered(paths, { nameOf, keep, limit: query.limit, storage: name, op });
    });
  }

  async function grep(query: GrepQuery): Promise<readonly GrepHit[]> {
    const op = "grep";
    checkLsOptions(query);
    const root = parseDirectory(query.root);
    checkWhole(query.limit, "limit", 0);
    checkWhole(query.context, "context", 0);
    if (query.maxBytes !== undefined) checkWhole(query.maxBytes, "maxBytes", 1);
    if (query.context > MAX_GREP_CONTEXT) throw new HangoError("invalid_argument", `context is at most ${MAX_GREP_CONTEXT} lines.`);
    const asked = withSafeSkip({ ...query, root }, root);
    return callImplementation({ storage: name, op, path: root, signal: query.signal }, async () => {
      const own = implementation.grep;
      if (own === undefined) return checkHits(name, await deriveGrep(source, asked), asked);
      const hits = await own(asked);
      return checkHits(name, hits, asked, await included(hits, asked));
    });
  }

  return { stat, ls, lines, glob, grep };
}

function mayShow(entry: Entry, filters: readonly PathFilter[] | undefined): boolean {
  return entry.kind === "file" ? isShown(entry.info.path, filters) : directoryMayShow(entry.path, filters);
}

function checkPage(storage: string, { lines, totalLines }: LinePage, { limit, maxLineChars, offset }: LineQuery): void {
  const op = "lines";
  if (!Number.isSafeInteger(totalLines) || totalLines < 0) brokenRule(storage, op, "totalLines is a whole number");
  if (lines.length > limit || lines.some(({ number }, index) => number !== offset + index)) brokenRule(storage, op, "lines are those asked for, in order");
  // UTF-16 units are never fewer than code points, so a short line needs no counting.
  if (lines.some(({ text }) => typeof text !== "string" || (text.length > maxLineChars && codePointLength(text) > maxLineChars)))
    brokenRule(storage, op, "a line is text of at most maxLineChars characters");
}

/** Which of an implementation's own paths the pattern matches, as far as they are asked for. Paced, because a hostile pattern takes a millisecond for each. */
async function matching(
  paths: readonly string[],
  pattern: GlobPattern,
  { root, limit, signal }: Pick<GlobQuery, "root" | "limit" | "signal">,
): Promise<ReadonlySet<string>> {
  const matched = new Set<string>();
  if (!Array.isArray(paths)) return matched; // refused where its shape is checked
  const pace = makePace(signal);
  for (const path of paths as readonly string[]) {
    if (matched.size >= limit) break;
    const meter: GlobMeter = { steps: 1 };
    if (typeof path === "string" && matchGlob(pattern, relativeTo(path, root), meter)) matched.add(path);
    const pause = pace(meter.steps);
    if (pause !== undefined) await pause;
  }
  return matched;
}

async function included(hits: readonly GrepHit[], { include, ...query }: GrepQuery): Promise<ReadonlySet<string> | undefined> {
  if (include === undefined || !Array.isArray(hits)) return undefined;
  return matching([...new Set((hits as readonly GrepHit[]).map((hit) => hit?.path))], include, query);
}

/** `matched`: the paths that include matches; absent when that is known of all. */
function checkHits(storage: string, hits: readonly GrepHit[], query: GrepQuery, matched?: ReadonlySet<string>): readonly GrepHit[] {
  const { filters, limit, root } = query;
  if (!Array.isArray(hits)) brokenRule(storage, "grep", "it answers a list");
  const kept: GrepHit[] = [];
  let previous: GrepHit | undefined;
  let wanted = false;
  for (const hit of hits as readonly GrepHit[]) {
    checkPath(storage, "grep", hit.path);
    if (!Number.isSafeInteger(hit.line) || !Number.isSafeInteger(hit.column) || hit.line < 1 || hit.column < 1 || typeof hit.text !== "string")
      brokenRule(storage, "grep", "a match has a line and a column from 1, and a text");
    const order = previous === undefined ? -1 : comparePaths(previous.path, hit.path);
    if (order > 0 || (order === 0 && (previous as GrepHit).line >= hit.line)) brokenRule(storage, "grep", "matches come by path, then by line, each once");
    if (order !== 0) wanted = isAtOrBelow(hit.path, root) && isShown(hit.path, filters) && matched?.has(hit.path) !== false;
    previous = hit;
    if (kept.length >= limit) break;
    if (wanted) kept.push(hit);
  }
  return kept;
}
