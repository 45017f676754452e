import { comparePaths } from "../../../path/path.ts";
import { HangoError } from "../../../errors.ts";
import { GREP_TIMEOUT_MS, LIST_PAGE, MAX_SKIPPED, processLimits } from "../../../limits.ts";
import type { GrepHit, GrepQuery } from "../../../storage.ts";
import { matchGlob } from "../../../text/glob.ts";
import { emitPostgres } from "../../../text/pattern/emit-postgres.ts";
import type { Row } from "../driver/driver.ts";
import { globPaths, globValues } from "./glob.ts";
import { type GrepShape, grepSql } from "./grep.ts";
import { directoryKey, END_KEY, keyOf } from "./key-range.ts";
import { inScope, MAX_ROWS, numberOf, type Scope, run, textOf, textsOf } from "./scope.ts";
import type { SqlValues } from "./statement.ts";
import { filterShape, visibleValues } from "./visible.ts";

/** One that takes several statements, as with an include that is too long to compile, is given up after this in all. */
const GREP_TOTAL_MS = 10_000;

/**
 * For the transaction only. Memoize would keep whole contents as its keys; compiling costs more than any grep it could help.
 * A file of millions of empty lines would spill to disk: where the role may not limit that, the timeout bounds it.
 */
const PLANNER: Readonly<Record<string, string>> = { enable_memoize: "off", jit: "off" };
const SERVER: Readonly<Record<string, string>> = { ...PLANNER, temp_file_limit: "1GB" };

/** Finds matching lines in one round trip; windows are cut in the database, so at most 500 characters a line come back. */
export async function grepFiles(scope: Scope, query: GrepQuery): Promise<readonly GrepHit[]> {
  if (query.limit === 0) return [];
  const head = directoryKey(query.root);
  const include = query.include === undefined ? undefined : globValues(query.include, head);
  if (query.include !== undefined && include === undefined) return grepMatched(scope, query);
  const first = await search(scope, query, { after: head, end: `${head.slice(0, -1)}${END_KEY}`, include });
  if (!first.full || first.hits.length >= query.limit) return answer(query, first);
  // More files were skipped than are ever named, and they filled the answer: go on behind the last of them, for hits only.
  const last = first.skipped.at(-1)?.path ?? "";
  const before = first.hits.filter((hit) => comparePaths(hit.path, last) < 0);
  const rest = await search(scope, query, { after: keyOf(last), end: `${head.slice(0, -1)}${END_KEY}`, include, hitsOnly: true });
  return answer(query, { hits: [...before, ...rest.hits], skipped: first.skipped });
}

interface Skipped {
  readonly path: string;
  readonly reason: string;
}

interface Found {
  readonly hits: readonly GrepHit[];
  readonly skipped: readonly Skipped[];
}

interface Range {
  readonly after: string;
  readonly end: string;
  readonly include: SqlValues | undefined;
  readonly hitsOnly?: boolean;
  /** Instead of the range. */
  readonly paths?: readonly string[];
}

/** Runs the statement over the range, and over the root itself, which may be one file. */
async function search(scope: Scope, query: GrepQuery, range: Range): Promise<Found & { readonly full: boolean }> {
  const { root, filters = [], context, limit, pattern, signal } = query;
  const { row, line, place, required, plain } = emitPostgres(pattern);
  const asks = query.onSkip !== undefined && range.hitsOnly !== true;
  const rows = Math.min(limit + (asks ? MAX_SKIPPED : 0), MAX_ROWS);
  const values: SqlValues = {
    ...visibleValues(filters, range.paths === undefined ? { start: keyOf(root), end: range.end } : undefined),
    ...range.include,
    after: range.after,
    end: range.end,
    paths: range.paths ?? [keyOf(root)],
    required: plain ?? required ?? null,
    plain: plain !== undefined,
    row,
    line,
    place,
    context,
    skipped: asks,
    maxBytes: Math.min(maxBytesOf(query), MAX_ROWS),
    limit: rows,
  };
  const shape = (source: "tree" | "paths"): GrepShape =>
    `${source}:${filterShape(filters)}:${range.include === undefined ? "" : "include"}:${context > 0 ? "context" : ""}`;
  const sources: readonly ("tree" | "paths")[] = range.paths !== undefined ? ["paths"] : root === "" || range.hitsOnly === true ? ["tree"] : ["paths", "tree"];
  const statements = sources.map((source) => inScope(scope, grepSql(scope.driver.schema, shape(source)), fileRoot(values, source, range, root)));
  const settings = scope.driver.capabilities.engine === "postgres" ? SERVER : PLANNER;
  const result = await run(scope, statements, { ...(signal === undefined ? {} : { signal }), timeoutMs: GREP_TIMEOUT_MS, share: "grep", settings });
  const found = result.rows.flat();
  assertOrder(found);
  const isSkipped = (each: Row): boolean => each["skipped"] === true;
  return {
    full: found.length >= rows,
    hits: found.filter((each) => !isSkipped(each)).map((each) => hitOf(each, context)),
    skipped: found.filter(isSkipped).map((each) => skippedOf(each, maxBytesOf(query))),
  };
}

/** When the root is a file, include is matched against its name: relative to the directory it is in. */
function fileRoot(values: SqlValues, source: "tree" | "paths", range: Range, root: string): SqlValues {
  if (source === "tree" || range.include === undefined || range.paths !== undefined) return values;
  return { ...values, rest: [...keyOf(root)].length - [...(root.split("/").at(-1) ?? "")].length + 1 };
}

/** An include that is too long to compile is matched here: the paths first, then their contents, chunk by chunk. */
async function grepMatched(scope: Scope, query: GrepQuery): Promise<readonly GrepHit[]> {
  const { include, root, filters, signal, limit } = query;
  if (include === undefined) return [];
  const options = { ...(filters === undefined ? {} : { filters }), ...(signal === undefined ? {} : { signal }) };
  const below = await globPaths(scope, { pattern: include, root, limit: MAX_ROWS, ...options });
  // A root that is a file has nothing below it, and is matched by its name.
  const paths = root !== "" && matchGlob(include, root.split("/").at(-1) ?? "") ? [root, ...below] : below;
  const found: { readonly hits: GrepHit[]; readonly skipped: Skipped[] } = { hits: [], skipped: [] };
  const end = Date.now() + GREP_TOTAL_MS;
  for (let at = 0; at < paths.length && found.hits.length < limit; at += LIST_PAGE) {
    if (Date.now() > end) throw new HangoError("timeout", `The search ran over its ${GREP_TOTAL_MS} ms. Narrow it by its path, or with a shorter include.`);
    const chunk = paths.slice(at, at + LIST_PAGE).map(keyOf);
    const range: Range = { after: "", end: "", include: undefined, paths: chunk };
    let part: Found & { readonly full: boolean } = await search(scope, query, range);
    if (part.full && part.hits.length < limit) part = { ...part, hits: (await search(scope, query, { ...range, hitsOnly: true })).hits };
    found.hits.push(...part.hits);
    found.skipped.push(...part.skipped);
  }
  return answer(query, found);
}

/** Cuts to the limit, and names what was skipped up to there. */
function answer({ limit, onSkip }: GrepQuery, { hits, skipped }: Found): readonly GrepHit[] {
  const last = hits.length >= limit ? hits[limit - 1] : undefined;
  for (const { path, reason } of skipped.slice(0, MAX_SKIPPED)) if (last === undefined || comparePaths(path, last.path) < 0) onSkip?.(path, reason);
  return hits.slice(0, limit);
}

function hitOf(row: Row, context: number): GrepHit {
  return {
    path: (textOf(row, "path") ?? "").slice(1),
    line: numberOf(row, "ln") ?? 0,
    column: numberOf(row, "col") ?? 0,
    text: textOf(row, "line") ?? "",
    ...(context > 0 ? { before: textsOf(row, "before") ?? [], after: textsOf(row, "after") ?? [] } : {}),
  };
}

/** A larger file is not searched. */
function maxBytesOf({ maxBytes }: GrepQuery): number {
  return maxBytes ?? processLimits.maxOffloadBytes;
}

function skippedOf(row: Row, maxBytes: number): Skipped {
  return {
    path: (textOf(row, "path") ?? "").slice(1),
    reason: (numberOf(row, "size_bytes") ?? 0) > maxBytes ? `larger than ${maxBytes} bytes` : "binary",
  };
}

/** SQL promises no order here; it comes from nested loops over the key. */
function assertOrder(rows: readonly Row[]): void {
  for (let index = 1; index < rows.length; index++) {
    const [before, after] = [rows[index - 1] as Row, rows[index] as Row];
    const order = comparePaths(textOf(before, "path") ?? "", textOf(after, "path") ?? "");
    if (order > 0 || (order === 0 && (numberOf(before, "ln") ?? 0) >= (numberOf(after, "ln") ?? 0)))
      throw new HangoError("internal", "The database answered grep out of order.", { op: "grep" });
  }
}
