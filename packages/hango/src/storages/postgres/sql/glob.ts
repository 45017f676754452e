import { makePace } from "../../../contract/pace.ts";
import { LIST_PAGE } from "../../../limits.ts";
import type { GlobQuery } from "../../../storage.ts";
import { type GlobMeter, type GlobPattern, globPrefix, globTail, globToPostgres, matchGlob } from "../../../text/glob.ts";
import { codePointLength } from "../../../text/utf8.ts";
import { directoryKey, keyAfter } from "./key-range.ts";
import { inScope, lastRows, rowLimit, run, type Scope, textOf } from "./scope.ts";
import { type SqlValues, type ShapedSql, shaped } from "./statement.ts";
import { owned, tablesOf } from "./tables.ts";
import { visible, visibleValues } from "./visible.ts";

/** The literal tail first, inside a CASE: joined by AND the planner would run the regular expression first. */
export function matchesGlob(path: string): string {
  return `case when right(${path}, $tailChars::int) = $tail::text then substr(${path}, $rest::int) ~ $glob::text else false end`;
}

/** The values of matchesGlob for paths below a directory's key; undefined when the expression would be too long to compile. */
export function globValues(pattern: GlobPattern, head: string): (SqlValues & { readonly glob: string }) | undefined {
  const glob = globToPostgres(pattern);
  if (glob === undefined) return undefined;
  const tail = globTail(pattern);
  return { glob, tail, tailChars: codePointLength(tail), rest: codePointLength(head) + 1 };
}

/** The shape is the number of filters. */
export const globSql: ShapedSql<number> = shaped(
  (schema, filters) => `select path from ${tablesOf(schema).files}
    where ${owned()} and path >= $start::text and path < $end::text
      and case when ${visible(filters, "path")} then ${matchesGlob("path")} else false end
    order by path limit $limit::int`,
);

/** A page of paths for the patterns that are matched here. */
export const pathsSql: ShapedSql<number> = shaped(
  (schema, filters) => `select path from ${tablesOf(schema).files}
    where ${owned()} and path > $after::text and path >= $start::text and path < $end::text and ${visible(filters, "path")} order by path limit $limit::int`,
);

/**
 * Characters of an expression that the server matches itself. Longer ones have many stars in a row of segments, for which its engine
 * took 5 s over 3,000 deep paths (and PGlite, which has one thread, kept everyone else waiting); our matcher did the same in 32 ms.
 */
const MAX_SERVER_GLOB_CHARS = 256;

/** Finds paths by pattern, in one round trip, inside the key range of the pattern's literal head. */
export async function globPaths(scope: Scope, query: GlobQuery): Promise<readonly string[]> {
  const { pattern, root, filters = [], limit } = query;
  const head = directoryKey(root);
  const start = head + globPrefix(pattern);
  const values = { ...visibleValues(filters), start, end: keyAfter(start), limit: rowLimit(limit) };
  const matching = globValues(pattern, head);
  if (matching === undefined || matching.glob.length > MAX_SERVER_GLOB_CHARS) return pagedPaths(scope, query, values);
  return pathsOf(lastRows(await run(scope, [inScope(scope, globSql(scope.driver.schema, filters.length), { ...values, ...matching })], query)));
}

/** Up to the limit, page by page, matched by our own matcher. */
async function pagedPaths(scope: Scope, { pattern, root, filters = [], limit, signal }: GlobQuery, values: SqlValues): Promise<readonly string[]> {
  const found: string[] = [];
  const skipped = root === "" ? 0 : root.length + 1;
  const pace = makePace(signal);
  for (let after = ""; found.length < limit;) {
    const statement = inScope(scope, pathsSql(scope.driver.schema, filters.length), { ...values, after, limit: LIST_PAGE });
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
