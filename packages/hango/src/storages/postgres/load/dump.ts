/** All files of a namespace with their content, in byte order, a megabyte at a time. */
import { checkListOptions } from "../../../contract/check-options.ts";
import { LIST_PAGE } from "../../../limits.ts";
import type { FileData, ListOptions } from "../../../storage.ts";
import { checkOptions } from "../database-options.ts";
import type { Row, Statement } from "../driver/driver.ts";
import { directoryKey, END_KEY, keyOf } from "../sql/key-range.ts";
import { fileOf } from "../sql/read.ts";
import { inScope, lastRows, run, type Scope } from "../sql/scope.ts";
import { type ShapedSql, shaped } from "../sql/statement.ts";
import { infoColumns, owned, tablesOf } from "../sql/tables.ts";
import { type FilterShape, filterShape, visible, visibleValues } from "../sql/visible.ts";

/** What one page brings at most, but for a single larger file. */
const PAGE_BYTES = 1024 * 1024;

export type DumpOptions = Pick<ListOptions, "prefix" | "filters" | "signal">;

/**
 * The files after the last one, up to the page's bytes: sizes are summed over a bounded number of rows, whose contents stay where
 * they are until they are answered. The ranges are those of a listing. The shape is that of the filters.
 */
export const dumpSql: ShapedSql<FilterShape> = shaped((schema, filters) => {
  const { files } = tablesOf(schema);
  const columns = `path, ${infoColumns()}, content, content_bytes`;
  const seen = `path > $after::text and ${visible(filters, "path")}`;
  return `select ${columns} from (
      select ${columns}, sum(size_bytes) over (order by path) - size_bytes as before from (
        (select ${columns} from ${files} where ${owned()} and path = $exact::text and ${seen})
        union all
        (select ${columns} from ${files} where ${owned()} and path >= $start::text and path < $end::text and ${seen} order by path limit $limit::int)) f) page
    where before < $bytes::bigint order by path limit $limit::int`;
});

/**
 * Reads the files one after another; the next page is asked for while this one is used.
 * Atomicity: one snapshot, on a connection of its own; on PGlite, whose only connection would keep all others out, each page is of its own moment.
 */
export async function* dumpFiles(scope: Scope, options: DumpOptions = {}): AsyncGenerator<FileData, void, undefined> {
  checkOptions("dump", options, ["prefix", "filters", "signal"]);
  const { signal, ...rest } = checkListOptions(options);
  const { driver, namespace } = scope;
  const snapshot = driver.capabilities.manyConnections
    ? await driver.begin({ namespace, snapshot: true, ...(signal === undefined ? {} : { signal }) })
    : undefined;
  const pageAfter = async (after: string): Promise<readonly Row[]> => {
    const statement = pageOf(scope, rest, after);
    return snapshot === undefined ? lastRows(await run(scope, [statement], options)) : ((await snapshot.run([statement])).at(-1) ?? []);
  };
  let next = pageAfter(keyOf(""));
  try {
    for (let rows = await next; rows.length > 0; rows = await next) {
      next = pageAfter(String(rows.at(-1)?.["path"]));
      // Whoever asks for the next page hears of it; until then it is nobody's unhandled rejection.
      next.catch(() => undefined);
      for (const row of rows) {
        signal?.throwIfAborted();
        yield fileOf(row);
      }
    }
  } finally {
    await Promise.allSettled([next]);
    await snapshot?.rollback();
  }
}

function pageOf(scope: Scope, { prefix = "", filters = [] }: ListOptions, after: string): Statement {
  const start = directoryKey(prefix);
  const end = `${start.slice(0, -1)}${END_KEY}`;
  return inScope(scope, dumpSql(scope.driver.schema, filterShape(filters)), {
    ...visibleValues(filters, { start: keyOf(prefix), end }),
    exact: keyOf(prefix),
    start,
    end,
    after,
    limit: LIST_PAGE,
    bytes: PAGE_BYTES,
  });
}
