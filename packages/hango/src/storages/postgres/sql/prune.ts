/** Old machine files, gone: stored tool results and conversations of sessions that nobody goes on with. */
import { checkCall } from "../../../contract/check-options.ts";
import { HangoError } from "../../../errors.ts";
import { MACHINE } from "../../../path/reserved.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { CallOptions } from "../../../storage.ts";
import { checkOptions } from "../database-options.ts";
import type { Row } from "../driver/driver.ts";
import { isRepeated } from "../errors.ts";
import { insertEvents, originValues } from "./origin.ts";
import { recordedRows } from "./record.ts";
import { inScope, numberOf, onlyRow, run, type Scope, textOf } from "./scope.ts";
import { type FixedSql, fixed } from "./statement.ts";
import { owned, tablesOf } from "./tables.ts";

/** Files of one transaction. */
const BATCH_FILES = 500;

export interface PruneOptions extends CallOptions {
  /** Machine files last written before this time go. */
  readonly olderThan: Date;
}

export interface Pruned {
  readonly files: number;
  readonly bytes: number;
}

/** The next files of one machine directory in order of paths, their usage and events. The time is asked again of a row that changed while it was waited for. */
export const pruneSql: FixedSql = fixed((schema) => {
  const { files, usage } = tablesOf(schema);
  const event = insertEvents(schema, {
    id: "e.id",
    action: "'file.delete'",
    outcome: "'ok'",
    path: "del.path",
    version: "null",
    previous: "del.id::text || '.' || del.version::text",
    size: "del.size_bytes",
    reason: "'pruned by age'",
    source: "from del join n on n.id = del.id join unnest($events::uuid[]) with ordinality as e(id, n) on e.n = n.n",
  });
  return `with old as materialized (select id, path from ${files} where ${owned()} and path > $after::text and path < $end::text and updated_at < $before::timestamptz
        order by path limit $limit::int for update),
    n as materialized (select id, path, row_number() over (order by path) as n from old),
    del as (delete from ${files} f using n where ${owned("f")} and f.path = n.path and f.id = n.id returning f.id, f.path, f.version, f.size_bytes),
    d as materialized (select count(*) as files, coalesce(sum(size_bytes), 0) as bytes, max(path) as last from del),
    us as (update ${usage} u set files = u.files - d.files, bytes = u.bytes - d.bytes from d where ${owned("u")} and d.files > 0),
    ev as (${event})
    select files, bytes, last from d`;
});

/** Deletes the machine files of every session that are older. Atomicity: 500 files a transaction; what an aborted call deleted stays deleted, and recorded. */
export async function pruneMachineFiles(scope: Scope, options: PruneOptions): Promise<Pruned> {
  checkOptions("prune", options, ["olderThan", "signal", "origin"]);
  checkCall(options);
  const { olderThan } = options;
  if (!(olderThan instanceof Date) || Number.isNaN(olderThan.getTime())) throw new HangoError("invalid_argument", "prune needs olderThan, a Date.");
  let [files, bytes] = [0, 0];
  for (const name of MACHINE) {
    // "0" follows "/" in byte order, so a directory is a range.
    for (let after: string | undefined = `/${name}/`; after !== undefined;) {
      const batch: Batch = await pruneBatch(scope, { after, end: `/${name}0`, options });
      files += batch.files;
      bytes += batch.bytes;
      after = batch.next;
    }
  }
  return { files, bytes };
}

interface Batch extends Pruned {
  /** Where to go on; absent at the end of the range. */
  readonly next: string | undefined;
}

async function pruneBatch(
  scope: Scope,
  { after, end, options }: { readonly after: string; readonly end: string; readonly options: PruneOptions },
): Promise<Batch> {
  options.signal?.throwIfAborted();
  const events = Array.from({ length: BATCH_FILES }, () => uuidV7());
  const values = { ...originValues(options), after, end, before: options.olderThan.toISOString(), limit: BATCH_FILES, events };
  try {
    const { rows, attempts } = await run(scope, [inScope(scope, pruneSql(scope.driver.schema), values)], options);
    if (attempts === 1) return batchOf(onlyRow(rows.at(-1) ?? []), after);
  } catch (error) {
    if (!isRepeated(error)) throw error;
  }
  // An answer was lost on the way: the events of this very batch say what it deleted, and the same range is looked at again.
  const kept = [...(await recordedRows(scope, events)).values()];
  const bytes = kept.reduce((sum, row) => sum + (numberOf(row, "size_bytes") ?? 0), 0);
  return { files: kept.length, bytes, next: kept.length === 0 ? undefined : after };
}

function batchOf(row: Row, after: string): Batch {
  const [files, bytes] = [numberOf(row, "files") ?? 0, numberOf(row, "bytes") ?? 0];
  return { files, bytes, next: files < BATCH_FILES ? undefined : (textOf(row, "last") ?? after) };
}
