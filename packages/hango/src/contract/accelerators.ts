/** Accelerators: the implementation's own, its answers held against the question; or the derived one. */
import { HangoError } from "../errors.ts";
import { MAX_GREP_CONTEXT } from "../limits.ts";
import { isShown } from "../path/filter.ts";
import { baseName, comparePaths, isBelow, parentOf, parseDirectory, parseFilePath } from "../path/path.ts";
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
import { matchGlob } from "../text/glob.ts";
import { callImplementation } from "./call.ts";
import { brokenRule, checkInfo, checkOrdered, directoryMayShow, withSafeSkip } from "./check-answers.ts";
import { checkLsOptions, checkWhole } from "./check-options.ts";
import { deriveGlob } from "./derive/glob.ts";
import { deriveGrep } from "./derive/grep.ts";
import { deriveLines } from "./derive/lines.ts";
import { deriveLs } from "./derive/ls.ts";
import { deriveStat } from "./derive/stat.ts";
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
    const entry = await callImplementation({ storage: name, op, path: asked, signal: options.signal }, async () =>
      implementation.stat === undefined ? deriveStat(source.list, asked, safe) : implementation.stat(asked, safe),
    );
    if (entry === undefined || !mayShow(entry, options.filters)) return undefined;
    if (entry.kind === "file") checkInfo(name, op, entry.info, asked);
    else if (entry.path !== asked) brokenRule(name, op, "it answers for the path that was asked");
    return entry;
  }

  async function ls(directory: string, options: LsOptions = {}): Promise<readonly Entry[]> {
    const op = "ls";
    const asked = parseDirectory(directory);
    checkLsOptions(options);
    const { after, filters, limit, signal } = options;
    const safe = withSafeSkip(options, asked);
    const entries = await callImplementation({ storage: name, op, path: asked, signal }, async () =>
      implementation.ls === undefined ? deriveLs(source.list, asked, safe) : implementation.ls(asked, safe),
    );
    const nameOf = (entry: Entry): string => {
      const path = entry.kind === "file" ? checkInfo(name, op, entry.info).path : entry.path;
      if (parentOf(path) !== asked) brokenRule(name, op, "an entry stands directly below the directory");
      return entry.kind === "file" ? baseName(path) : `${baseName(path)}/`;
    };
    const keep = (entry: Entry): boolean => mayShow(entry, filters) && (after === undefined || comparePaths(nameOf(entry), after) > 0);
    return checkOrdered(entries, { nameOf, keep, limit, storage: name, op });
  }

  async function lines(path: string, query: LineQuery): Promise<LinePage> {
    const op = "lines";
    const asked = parseFilePath(path);
    checkWhole(query.offset, "offset", 1);
    checkWhole(query.limit, "limit", 0);
    checkWhole(query.column, "column", 1);
    checkWhole(query.maxLineChars, "maxLineChars", 1);
    const page = await callImplementation({ storage: name, op, path: asked, signal: query.signal }, async () =>
      implementation.lines === undefined ? deriveLines(source.read, asked, query) : implementation.lines(asked, query),
    );
    checkInfo(name, op, page.info, asked);
    if (page.lines.length > query.limit || page.lines.some(({ number }, index) => number !== query.offset + index))
      brokenRule(name, op, "lines are those asked for, in order");
    return page;
  }

  async function glob(query: GlobQuery): Promise<readonly string[]> {
    const op = "glob";
    const root = parseDirectory(query.root);
    checkWhole(query.limit, "limit", 0);
    checkLsOptions(query);
    const asked = withSafeSkip({ ...query, root }, root);
    const paths = await callImplementation({ storage: name, op, path: root, signal: query.signal }, async () =>
      implementation.glob === undefined ? deriveGlob(source.list, asked) : implementation.glob(asked),
    );
    const keep = (path: string): boolean => isBelow(path, root) && isShown(path, query.filters) && matchGlob(query.pattern, relativeTo(path, root));
    return checkOrdered(paths, { nameOf: (path) => path, keep, limit: query.limit, storage: name, op });
  }

  async function grep(query: GrepQuery): Promise<readonly GrepHit[]> {
    const op = "grep";
    const root = parseDirectory(query.root);
    checkWhole(query.limit, "limit", 0);
    checkWhole(query.context, "context", 0);
    if (query.context > MAX_GREP_CONTEXT) throw new HangoError("invalid_argument", `context is at most ${MAX_GREP_CONTEXT} lines.`);
    checkLsOptions(query);
    const asked = withSafeSkip({ ...query, root }, root);
    const hits = await callImplementation({ storage: name, op, path: root, signal: query.signal }, async () =>
      implementation.grep === undefined ? deriveGrep(source, asked) : implementation.grep(asked),
    );
    return checkHits(name, hits, asked);
  }

  return { stat, ls, lines, glob, grep };
}

function mayShow(entry: Entry, filters: readonly PathFilter[] | undefined): boolean {
  return entry.kind === "file" ? isShown(entry.info.path, filters) : directoryMayShow(entry.path, filters);
}

function checkHits(storage: string, hits: readonly GrepHit[], query: GrepQuery): readonly GrepHit[] {
  const { filters, include, limit, root } = query;
  const kept: GrepHit[] = [];
  let previous: GrepHit | undefined;
  let wanted = false;
  for (const hit of hits) {
    const order = previous === undefined ? -1 : comparePaths(previous.path, hit.path);
    if (order > 0 || (order === 0 && (previous as GrepHit).line >= hit.line)) brokenRule(storage, "grep", "matches come by path, then by line, each once");
    if (order !== 0)
      wanted =
        (hit.path === root || isBelow(hit.path, root)) &&
        isShown(hit.path, filters) &&
        (include === undefined || matchGlob(include, relativeTo(hit.path, root)));
    previous = hit;
    if (kept.length >= limit) break;
    if (wanted) kept.push(hit);
  }
  return kept;
}
