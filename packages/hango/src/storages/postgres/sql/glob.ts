import { makePace } from "../../../contract/pace.ts";
import { LIST_PAGE } from "../../../limits.ts";
import type { GlobQuery } from "../../../storage.ts";
import { globEnds } from "../../../text/glob-ends.ts";
import { type GlobMeter, type GlobPattern, globPrefix, globTail, globToPostgres, matchGlob } from "../../../text/glob.ts";
import { codePointLength } from "../../../text/utf8.ts";
import { directoryKey, keyAfter } from "./key-range.ts";
import { inScope, lastRows, run, type Scope, textOf } from "./scope.ts";
import type { SqlValue } from "../driver/driver.ts";
import { type SqlValues, type ShapedSql, shaped } from "./statement.ts";
import { owned, tablesOf } from "./tables.ts";
import { type FilterShape, filterShape, visible, visibleValues } from "./visible.ts";

const TAIL_TEST = "right(path, $tailChars::int) = $tail::text";
const REGEX_TEST = "substr(path, $rest::int) ~ $glob::text";

/** The literal tail first, inside a CASE: joined by AND the planner would run the regular expression first. */
export const matchesGlob: string = `case when ${TAIL_TEST} then ${REGEX_TEST} else false end`;

/** The values of matchesGlob for paths below a directory's key; undefined when the expression would be too long to compile. */
export function globValues(pattern: GlobPattern, head: string): (SqlValues & { readonly glob: string }) | undefined {
  const glob = globToPostgres(pattern);
  if (glob === undefined) return undefined;
  const tail = globTail(pattern);
  return { glob, tail, tailChars: codePointLength(tail), rest: codePointLength(head) + 1 };
}

/** What the statement varies by: the shape of the filters, and the number of the tails' lengths or that there is an expression. */
export type GlobShape = `${FilterShape}:${number | "regex"}`;

/**
 * One text with all paths: a row for each would cost both sides more, and no path has a line feed.
 * What is cheap comes first, in CASEs: joined by AND, the planner would choose.
 */
export const globSql: ShapedSql<GlobShape> = shaped((schema, shape) => {
  const [filters, lengths] = shape.split(":");
  const [first, then] = lengths === "regex" ? [TAIL_TEST, REGEX_TEST] : [tailsTest(Number(lengths)), "true"];
  const test = `case when ${first} then case when ${visible(filters as FilterShape, "path")} then ${then} else false end else false end`;
  return `select string_agg(path, chr(10) order by path) as paths from (
      select path from ${tablesOf(schema).files} where ${owned()} and path >= $start::text and path < $end::text and ${test} order by path limit $limit::int) f`;
});

/** True of every path without tails. */
function tailsTest(lengths: number): string {
  return Array.from({ length: lengths }, (_, at) => `right(path, $chars${at}::int) = any($tails${at}::text[])`).join(" or ") || "true";
}

/** A page of paths for the patterns that are matched here. */
export const pathsSql: ShapedSql<FilterShape> = shaped(
  (schema, filters) => `select path from ${tablesOf(schema).files}
    where ${owned()} and path > $after::text and path >= $start::text and path < $end::text and ${visible(filters, "path")} order by path limit $limit::int`,
);

/**
 * Characters of an expression that the server matches itself. Longer ones have many stars in a row of segments, for which its engine
 * took 5 s over 3,000 deep paths (and PGlite, which has one thread, kept everyone else waiting); our matcher did the same in 32 ms.
 */
const MAX_SERVER_GLOB_CHARS = 256;

/** Paths that one answer holds; up to here a glob is one round trip. */
const MAX_ANSWER = 50_000;

/** Lengths of tails beyond which one expression is as cheap. */
const MAX_TAIL_LENGTHS = 4;

/** Finds paths by pattern, inside the key range of its literal head. */
export async function globPaths(scope: Scope, query: GlobQuery): Promise<readonly string[]> {
  const { pattern, root, filters = [], limit, signal } = query;
  const head = directoryKey(root);
  const start = head + globPrefix(pattern);
  const end = keyAfter(start);
  const range = { ...visibleValues(filters, { start, end }), start, end };
  const test = testOf(pattern, head);
  if (test === undefined) return pagedPaths(scope, query, { ...range });
  const sql = globSql(scope.driver.schema, `${filterShape(filters)}:${test.shape}`);
  const found: string[] = [];
  for (let from = start; found.length < limit;) {
    const asked = Math.min(limit - found.length, MAX_ANSWER);
    const statement = inScope(scope, sql, { ...range, ...test.values, start: from, limit: asked });
    const [row] = lastRows(await run(scope, [statement], signal === undefined ? {} : { signal }));
    const keys = row === undefined ? [] : (textOf(row, "paths")?.split("\n") ?? []);
    for (const key of keys) found.push(key.slice(1));
    if (keys.length < asked) break;
    from = `${keys.at(-1) ?? ""}${LEAST}`;
  }
  return found;
}

/** No path has it, so a path followed by it is the least key after the path. */
const LEAST = "\u0001";

/** How the server tests a path; undefined when it is better done here. */
function testOf(pattern: GlobPattern, head: string): { readonly shape: number | "regex"; readonly values: SqlValues } | undefined {
  const lengths = new Map<number, readonly string[]>();
  const tails = globEnds(pattern)?.tails ?? [];
  for (const tail of tails) {
    const chars = codePointLength(tail);
    lengths.set(chars, [...(lengths.get(chars) ?? []), tail]);
  }
  // The head is the range, and no tail says that every path in it matches.
  if (lengths.has(0)) return { shape: 0, values: {} };
  if (lengths.size > 0 && lengths.size <= MAX_TAIL_LENGTHS) {
    const values = [...lengths].flatMap(([chars, texts], at): [string, SqlValue][] => [
      [`chars${at}`, chars],
      [`tails${at}`, texts],
    ]);
    return { shape: lengths.size, values: Object.fromEntries(values) };
  }
  const values = globValues(pattern, head);
  return values === undefined || values.glob.length > MAX_SERVER_GLOB_CHARS ? undefined : { shape: "regex", values };
}

/** Up to the limit, page by page, matched by our own matcher. */
async function pagedPaths(scope: Scope, { pattern, root, filters = [], limit, signal }: GlobQuery, values: SqlValues): Promise<readonly string[]> {
  const found: string[] = [];
  const skipped = root === "" ? 0 : root.length + 1;
  const pace = makePace(signal);
  for (let after = ""; found.length < limit;) {
    const statement = inScope(scope, pathsSql(scope.driver.schema, filterShape(filters)), { ...values, after, limit: LIST_PAGE });
    const page = pathsOf(lastRows(await run(scope, [statement], signal === undefined ? {} : { signal })));
    for (const path of page) {
      if (found.length >= limit) break;
      const meter: GlobMeter = { steps: 1 };
      if (matchGlob(pattern, path.slice(skipped), meter)) found.push(path);
      await pace(meter.steps);
    }
    if (page.length < LIST_PAGE) break;
    after = `/${page.at(-1) ?? ""}`;
  }
  return found;
}

function pathsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return rows.map((row) => (textOf(row, "path") ?? "").slice(1));
}
