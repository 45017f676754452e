/** The record does not grow for ever. */
import { HangoError } from "../../../errors.ts";
import type { Driver } from "../driver/driver.ts";
import { inScope, lastRows, numberOf, run } from "../sql/scope.ts";
import { type FixedSql, fixed } from "../sql/statement.ts";
import { ofTenant, tenancyTablesOf } from "./tables.ts";
import { tenantScope } from "./tenant-scope.ts";

/** Rows of one transaction. */
const BATCH_ROWS = 2_000;

export interface PruneAuditOptions {
  /** Rows written before this time go. */
  readonly olderThan: Date;
  readonly signal?: AbortSignal;
}

/** Ids are ordered by time, so the oldest are at one end of the key, and a batch that is not all old is the last. */
export const pruneAuditSql: FixedSql = fixed((schema) => {
  const { events } = tenancyTablesOf(schema);
  return `with oldest as materialized (select id, at from ${events} where ${ofTenant()} order by id limit $limit::int),
    gone as (delete from ${events} e using oldest o where ${ofTenant("e")} and e.id = o.id and o.at < $before::timestamptz returning e.id)
    select count(*)::int as gone from gone`;
});

/** Deletes a tenant's old rows of the record; answers how many. Atomicity: 2000 rows a transaction; harmless beside another that does the same. */
export async function pruneAudit(driver: Driver, tenantId: string, { olderThan, signal }: PruneAuditOptions): Promise<number> {
  if (!(olderThan instanceof Date) || Number.isNaN(olderThan.getTime())) throw new HangoError("invalid_argument", "pruneAudit needs olderThan, a Date.");
  const scope = tenantScope(driver, tenantId);
  const statement = inScope(scope, pruneAuditSql(driver.schema), { before: olderThan.toISOString(), limit: BATCH_ROWS });
  for (let pruned = 0; ;) {
    signal?.throwIfAborted();
    const gone = numberOf(lastRows(await run(scope, [statement], signal === undefined ? {} : { signal }))[0] ?? {}, "gone") ?? 0;
    pruned += gone;
    if (gone < BATCH_ROWS) return pruned;
  }
}
