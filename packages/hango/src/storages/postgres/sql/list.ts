import type { FileInfo, ListOptions } from "../../../storage.ts";
import { directoryKey, END_KEY, keyOf } from "./key-range.ts";
import { inScope, infoOf, lastRows, rowLimit, run, type Scope } from "./scope.ts";
import { type ShapedSql, shaped } from "./statement.ts";
import { infoColumns, owned, tablesOf } from "./tables.ts";
import { type FilterShape, filterShape, visible, visibleValues } from "./visible.ts";

/**
 * The file at the prefix, then the range below it: two ranges, because "a-b" lies between "a" and "a/".
 * Filters stand before the limit. The shape is that of the filters.
 */
export const listSql: ShapedSql<FilterShape> = shaped((schema, filters) => {
  const { files } = tablesOf(schema);
  const seen = `path > $after::text and ${visible(filters, "path")}`;
  return `select path, ${infoColumns()} from (
      (select path, ${infoColumns()} from ${files} where ${owned()} and path = $exact::text and ${seen})
      union all
      (select path, ${infoColumns()} from ${files} where ${owned()} and path >= $start::text and path < $end::text and ${seen} order by path limit $limit::int)) f
    order by path limit $limit::int`;
});

/** Lists files in byte order, in one round trip. */
export async function listFiles(scope: Scope, options: ListOptions = {}): Promise<readonly FileInfo[]> {
  const { prefix = "", after = "", filters = [], limit } = options;
  const start = directoryKey(prefix);
  const end = `${start.slice(0, -1)}${END_KEY}`;
  const values = {
    ...visibleValues(filters, { start: keyOf(prefix), end }),
    exact: keyOf(prefix),
    start,
    end,
    after: keyOf(after),
    limit: rowLimit(limit),
  };
  return lastRows(await run(scope, [inScope(scope, listSql(scope.driver.schema, filterShape(filters)), values)], options)).map((row) => infoOf(row));
}
