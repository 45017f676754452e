/** The record of a whole tenant, newest first. */
import { HangoError } from "../../../errors.ts";
import { parseUuid } from "../../../path/uuid.ts";
import type { AuditQuery, AuditRow } from "../../../tenancy.ts";
import type { Driver } from "../driver/driver.ts";
import { inScope, lastRows, run } from "../sql/scope.ts";
import { type ShapedSql, shaped } from "../sql/statement.ts";
import { type FilterShape, filterShape, visible, visibleValues } from "../sql/visible.ts";
import { AUDIT_COLUMNS, auditRowOf } from "./audit-row.ts";
import { ofTenant, tenancyTablesOf } from "./tables.ts";
import { checkLimit, DOOR_TIMEOUT_MS, tenantScope } from "./tenant-scope.ts";

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** By tenant or by one agent of it (each has its index in this order), and by the shape of the filters. */
export const auditSql: ShapedSql<`${"tenant" | "agent"}:${FilterShape}`> = shaped((schema, shape) => {
  const [whose, filtered] = shape.split(":");
  const equal = (column: string): string => `and ($${column}::text is null or e.${column} = $${column}::text)`;
  return `select ${AUDIT_COLUMNS} from ${tenancyTablesOf(schema).events} e
    where ${ofTenant("e")} ${whose === "agent" ? "and e.agent_id = $of::uuid" : ""} and e.id < $before::uuid
      ${["action", "outcome", "actor", "principal", "session_id"].map(equal).join(" ")}
      and ($from::timestamptz is null or e.at >= $from::timestamptz) and ($to::timestamptz is null or e.at < $to::timestamptz)
      and ($exact::text is null or e.path = $exact::text or (e.path >= $start::text and e.path < $end::text))
      and ${visible(filtered as FilterShape, "e.path")}
    order by e.id desc limit $limit::int`;
});

/** Errors: invalid_argument; timeout for a search of a record too long to walk, which a narrower time or an agent helps; unavailable with `busy` when too many search. */
export async function listAudit(driver: Driver, tenantId: string, query: AuditQuery): Promise<readonly AuditRow[]> {
  const scope = tenantScope(driver, tenantId);
  const { agentId, filters = [], path } = query;
  const values = {
    ...visibleValues(filters),
    of: agentId === undefined ? null : parseUuid(agentId, "agentId"),
    before: query.before === undefined ? LAST_ID : parseUuid(query.before, "before, the id of an event,"),
    action: query.action ?? null,
    outcome: query.outcome ?? null,
    actor: query.actor ?? null,
    principal: query.principal ?? null,
    session_id: query.sessionId ?? null,
    from: query.from?.toISOString() ?? null,
    to: query.to?.toISOString() ?? null,
    ...pathRange(path),
    limit: checkLimit(query.limit),
  };
  const statement = inScope(scope, auditSql(driver.schema, `${agentId === undefined ? "tenant" : "agent"}:${filterShape(filters)}`), values);
  // No index helps these: without a share of their own, one tenant's searches of a long record take every connection.
  const share = isSearch(query) ? "grep" : "main";
  const options = { timeoutMs: DOOR_TIMEOUT_MS, share, ...(query.signal === undefined ? {} : { signal: query.signal }) } as const;
  return lastRows(await run(scope, [statement], options)).map(auditRowOf);
}

/** True when rows are read that may not be shown; a look at the newest reads only what it shows. */
function isSearch({ action, outcome, actor, principal, sessionId, path, from, to }: AuditQuery): boolean {
  return [action, outcome, actor, principal, sessionId, path, from, to].some((part) => part !== undefined);
}

/** "0" follows "/" in byte order, so a directory is a range. */
function pathRange(path: string | undefined): { readonly exact: string | null; readonly start: string | null; readonly end: string | null } {
  if (path === undefined) return { exact: null, start: null, end: null };
  if (!path.startsWith("/")) throw new HangoError("invalid_argument", "path must be absolute: it starts with /.");
  const directory = path.replace(/\/+$/, "");
  return { exact: directory, start: `${directory}/`, end: `${directory}0` };
}
