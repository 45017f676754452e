import type { Entry, FilePath, FilterOptions } from "../../../storage.ts";
import { keyOf } from "./key-range.ts";
import { walk, walkValues } from "./ls.ts";
import { inScope, infoOf, lastRows, onlyRow, run, type Scope } from "./scope.ts";
import { type ShapedSql, shaped } from "./statement.ts";
import { hasBelow, infoColumns, owned, tablesOf } from "./tables.ts";
import { type FilterShape, filterShape, visible, visibleValues } from "./visible.ts";

/**
 * One row always: the file, or none and whether something that shows is below the path. Looking below costs nothing where a file is.
 * The shape is that of the filters; without any, what is below need not be walked.
 */
export const statSql: ShapedSql<FilterShape> = shaped((schema, filters) => {
  const { files } = tablesOf(schema);
  const below = filters === "0" ? hasBelow(files, "$path::text") : `exists (${walk(schema, filters)} select 1 from c where shown)`;
  return `select ${infoColumns("f")}, case when f.id is null then ${below} end as directory
    from (select 1) one left join ${files} f on ${owned("f")} and f.path = $path::text and ${visible(filters, "f.path")}`;
});

/** Says what stands at a path, in one round trip; the root is always a directory. */
export async function statPath(scope: Scope, path: FilePath | "", options: FilterOptions = {}): Promise<Entry | undefined> {
  if (path === "") return { kind: "directory", path: "" };
  const { filters = [] } = options;
  const walked = walkValues(path);
  const values = { ...walked, ...visibleValues(filters, { start: keyOf(path), end: walked.end }), path: keyOf(path) };
  const row = onlyRow(lastRows(await run(scope, [inScope(scope, statSql(scope.driver.schema, filterShape(filters)), values)], options)));
  if (row["id"] !== null) return { kind: "file", info: infoOf(row, path) };
  return row["directory"] === true ? { kind: "directory", path } : undefined;
}
