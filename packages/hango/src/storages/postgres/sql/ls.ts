import type { Entry, FilePath, LsOptions } from "../../../storage.ts";
import type { Row } from "../driver/driver.ts";
import { directoryKey, END_KEY } from "./key-range.ts";
import { inScope, infoOf, lastRows, rowLimit, run, type Scope, textOf } from "./scope.ts";
import { type ShapedSql, shaped } from "./statement.ts";
import { codePointLength } from "../../../text/utf8.ts";
import { infoColumns, owned, tablesOf } from "./tables.ts";
import { afterHidden, type FilterShape, filterShape, visible, visibleValues } from "./visible.ts";

/**
 * A skip scan: it stands on the first row of each entry and seeks the next by key, so files below a child are never read,
 * and jumps what is hidden. The shape is that of the filters.
 */
export function walk(schema: string, filters: FilterShape): string {
  const { files } = tablesOf(schema);
  const row = (from: string): string =>
    `select path, ${infoColumns()}, (${visible(filters, "path")}) as shown from ${files} where ${owned()} and path >= ${from} and path < $end::text order by path limit 1`;
  const rest = "substr(c.path, $rest::int)";
  const afterShown = `case when strpos(${rest}, '/') > 0 then $dir::text || split_part(${rest}, '/', 1) || '0' else c.path || chr(1) end`;
  return `with recursive c as (
    (${row("$start::text")})
    union all
    select n.* from c cross join lateral (select case when c.shown then ${afterShown} else ${afterHidden(filters, "c.path")} end as k offset 0) k
      cross join lateral (${row("k.k")}) n)`;
}

export const lsSql: ShapedSql<FilterShape> = shaped(
  (schema, filters) => `${walk(schema, filters)} select path, ${infoColumns()} from c where shown limit $limit::int`,
);

/** Where a walk of a directory starts and ends. */
export function walkValues(directory: string, after?: string): { readonly dir: string; readonly rest: number; readonly start: string; readonly end: string } {
  const dir = directoryKey(directory);
  return { dir, rest: codePointLength(dir) + 1, start: after === undefined ? dir : startAfter(dir, after), end: `${dir.slice(0, -1)}${END_KEY}` };
}

/** A directory's name ends in a slash, and nothing below it comes again; after "a" come "a/" and everything greater. */
function startAfter(dir: string, after: string): string {
  const slash = after.indexOf("/");
  return slash < 0 ? `${dir}${after}\u0001` : `${dir}${after.slice(0, slash)}0`;
}

/** Lists what stands directly below a directory, in one round trip. */
export async function lsDirectory(scope: Scope, directory: FilePath | "", options: LsOptions = {}): Promise<readonly Entry[]> {
  const { after, filters = [], limit } = options;
  const walked = walkValues(directory, after);
  const values = { ...walked, ...visibleValues(filters, walked), limit: rowLimit(limit) };
  const rows = lastRows(await run(scope, [inScope(scope, lsSql(scope.driver.schema, filterShape(filters)), values)], options));
  return rows.map((row) => entryOf(row, directory));
}

function entryOf(row: Row, directory: string): Entry {
  const head = directoryKey(directory);
  const path = textOf(row, "path") ?? "";
  const slash = path.indexOf("/", head.length);
  return slash < 0 ? { kind: "file", info: infoOf(row) } : { kind: "directory", path: path.slice(1, slash) };
}
