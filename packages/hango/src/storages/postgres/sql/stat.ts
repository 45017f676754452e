import type { Entry, FilePath, FilterOptions } from "../../../storage.ts";
import { keyOf } from "./key-range.ts";
import { walk, walkValues } from "./ls.ts";
import { inScope, infoOf, lastRows, run, type Scope } from "./scope.ts";
import { type ShapedSql, shaped } from "./statement.ts";
import { infoColumns, owned, tablesOf } from "./tables.ts";
import { visible, visibleValues } from "./visible.ts";

/** The file's row, or a row without an id when something that shows is below the path. The shape is the number of filters. */
export const statSql: ShapedSql<number> = shaped(
  (schema, filters) => `${walk(schema, filters)}
    (select ${infoColumns()} from ${tablesOf(schema).files} where ${owned()} and path = $path::text and ${visible(filters, "path")})
    union all
    (select null, null, null, null, null, null from c where shown limit 1)`,
);

/** Says what stands at a path, in one round trip; the root is always a directory. */
export async function statPath(scope: Scope, path: FilePath | "", options: FilterOptions = {}): Promise<Entry | undefined> {
  if (path === "") return { kind: "directory", path: "" };
  const { filters = [] } = options;
  const values = { ...walkValues(path), ...visibleValues(filters), path: keyOf(path) };
  const row = lastRows(await run(scope, [inScope(scope, statSql(scope.driver.schema, filters.length), values)], options))[0];
  if (row === undefined) return undefined;
  return row["id"] === null ? { kind: "directory", path } : { kind: "file", info: infoOf(row, path) };
}
