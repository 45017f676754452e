/**
 * An agent's events in the order in which a reader may safely go on from the last one.
 * Ids are made before their transactions commit, so a smaller one may appear after a greater. Rows are therefore ordered by the
 * transaction that wrote them, and one is handed out only when no older transaction of the server is still open: then none can
 * come before it. So a long writing transaction, of whichever database, holds the stream back, but for STALL_MINUTES at most; an
 * event of one that stays open for longer may be missed by a reader of the stream, never by one of the list.
 */
import { parseNamespace } from "../../../namespace/namespace.ts";
import { parseUuid } from "../../../path/uuid.ts";
import type { Namespace } from "../../../storage.ts";
import type { AuditRow, EventQuery } from "../../../tenancy.ts";
import type { Driver } from "../driver/driver.ts";
import { inScope, lastRows, run, type Scope, textOf } from "../sql/scope.ts";
import { type FixedSql, fixed } from "../sql/statement.ts";
import { owned } from "../sql/tables.ts";
import { AUDIT_COLUMNS, auditRowOf } from "./audit-row.ts";
import { tenancyTablesOf } from "./tables.ts";
import { checkLimit, DOOR_TIMEOUT_MS, NIL_ID } from "./tenant-scope.ts";

/** Twice the longest run; only an atomic load may take longer. */
const STALL_MINUTES = 2;
/** By how much an id may be older than one of a transaction before: clocks of different machines, and waits between making an id and writing it. */
const ID_SKEW_MS = 300_000;

/** A row's `xmin` is 32 bits of its transaction's number; the rest is that of the newest number, or one less. */
const TX =
  "case when e.xmin::text::bigint > (s.newest & 4294967295) then s.newest - (s.newest & 4294967295) - 4294967296 else s.newest - (s.newest & 4294967295) end + e.xmin::text::bigint";
const SNAPSHOT = "select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as newest";
const SETTLED = `(tx < (select oldest from s) or at < now() - interval '${STALL_MINUTES} minutes')`;

/** The id that no row of this time or later is below. Version 7 starts with 48 bits of time. Units: milliseconds. */
const idAfter = (id: string, ms: number): string =>
  `(lpad(to_hex(least(('x' || replace(left(${id}::text, 13), '-', ''))::bit(48)::bigint + ${ms}, 281474976710655)), 12, '0') || repeat('0', 20))::uuid`;

/**
 * A cursor whose row is gone (pruned) goes on by its id.
 * Only ids near the first row are looked at, or each page of a long record would read and sort all that is left of it: a row of
 * the first ID_SKEW_MS has every row that may come before it within twice that time. So a page may be short before the end.
 */
export const eventsAfterSql: FixedSql = fixed((schema) => {
  const { events } = tenancyTablesOf(schema);
  return `with s as materialized (${SNAPSHOT}),
    c as materialized (select ${TX} as tx, e.id from ${events} e cross join s where ${owned("e")} and e.id = $after::uuid),
    e as not materialized (select ${AUDIT_COLUMNS}, ${TX} as tx from ${events} e cross join s
      where ${owned("e")} and e.id > $floor::uuid),
    n as not materialized (select * from e where case when exists (select from c) then (tx, id) > (select tx, id from c) else id > $after::uuid end),
    first as materialized (select id from n order by id limit 1),
    near as materialized (select * from n where id < (select ${idAfter("id", 2 * ID_SKEW_MS)} from first))
    select * from near where ${SETTLED} and id < (select ${idAfter("id", ID_SKEW_MS)} from first) order by tx, id limit $limit::int`;
});

/** The last settled row of the newest thousand: one that is not quite the last only repeats a few. */
export const lastEventSql: FixedSql = fixed((schema) => {
  const { events } = tenancyTablesOf(schema);
  return `with s as materialized (${SNAPSHOT}),
    e as materialized (select e.id, e.at, ${TX} as tx from ${events} e cross join s where ${owned("e")} order by e.id desc limit 1000)
    select id from e where ${SETTLED} order by tx desc, id desc limit 1`;
});

/** Rows written after the cursor's, oldest first. Errors: invalid_argument for a cursor that is no id. */
export async function eventsAfter(driver: Driver, namespace: Namespace, query: EventQuery): Promise<readonly AuditRow[]> {
  const scope: Scope = { driver, namespace: parseNamespace(namespace) };
  const { signal } = query;
  const after = parseUuid(query.after, "after, the id of an event,");
  const values = { after, floor: floorOf(after), limit: checkLimit(query.limit) };
  const options = { timeoutMs: DOOR_TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
  return lastRows(await run(scope, [inScope(scope, eventsAfterSql(driver.schema), values)], options)).map(auditRowOf);
}

/** Where a reader starts that wants what comes from now on. */
export async function lastEvent(driver: Driver, namespace: Namespace, signal?: AbortSignal): Promise<string> {
  const scope: Scope = { driver, namespace: parseNamespace(namespace) };
  const options = { timeoutMs: DOOR_TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
  const [row] = lastRows(await run(scope, [inScope(scope, lastEventSql(driver.schema))], options));
  return (row === undefined ? undefined : textOf(row, "id")) ?? NIL_ID;
}

/** The least id that a row after the cursor may have: version 7 starts with 48 bits of time. Units: milliseconds. */
function floorOf(id: string): string {
  const time = Math.max(0, Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - ID_SKEW_MS);
  const digits = time.toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
