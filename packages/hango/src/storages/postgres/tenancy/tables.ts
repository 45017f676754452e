/** The server's tables by their qualified names. */
import { tablesOf } from "../sql/tables.ts";

export interface TenancyTables {
  readonly tenants: string;
  readonly agents: string;
  readonly sessions: string;
  readonly keys: string;
  readonly signIns: string;
  readonly usage: string;
  readonly events: string;
}

/** Qualifies the names. */
export function tenancyTablesOf(schema: string): TenancyTables {
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  const { usage, events } = tablesOf(schema);
  return {
    tenants: `${quoted}.tenants`,
    agents: `${quoted}.agents`,
    sessions: `${quoted}.agent_sessions`,
    keys: `${quoted}.api_keys`,
    signIns: `${quoted}.sign_ins`,
    usage,
    events,
  };
}

/** Every statement carries the tenant, also where row-level security would say the same. */
export function ofTenant(alias?: string): string {
  return `${alias === undefined ? "" : `${alias}.`}tenant_id = $tenant::uuid`;
}
