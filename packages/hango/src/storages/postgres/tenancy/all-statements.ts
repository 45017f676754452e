/** Every text that tenancy sends, for the tests that read them. */
import type { Sql } from "../sql/statement.ts";
import { createAgentSql, deleteAgentSql, findAgentSql, listAgentsSql } from "./agents.ts";
import { eventsAfterSql, lastEventSql } from "./audit-after.ts";
import { auditSql } from "./audit-list.ts";
import { pruneAuditSql } from "./audit-prune.ts";
import { authenticateSql, createKeySql, listKeysSql, revokeKeySql } from "./keys.ts";
import { createSessionSql, deleteSessionSql, findSessionSql, listSessionsSql } from "./sessions.ts";
import { createSignInSql, endSignInSql, findSignInSql } from "./sign-ins.ts";
import { createTenantSql, deleteKeysSql, deleteTenantSql, findTenantSql, listTenantsSql, setTenantQuotaSql, tenantUsageSql } from "./tenants.ts";

/** The one that is of no tenant, by its name here. */
export const EVERY_TENANT = "listTenants";

/** The texts by name. */
export function tenancyStatements(schema: string): ReadonlyMap<string, Sql> {
  return new Map<string, Sql>([
    ["createTenant", createTenantSql(schema)],
    ["findTenant", findTenantSql(schema)],
    [EVERY_TENANT, listTenantsSql(schema)],
    ["deleteTenant", deleteTenantSql(schema)],
    ["deleteKeys", deleteKeysSql(schema)],
    ["tenantUsage", tenantUsageSql(schema)],
    ["setTenantQuota", setTenantQuotaSql(schema)],
    ["createAgent", createAgentSql(schema)],
    ["findAgent", findAgentSql(schema)],
    ["listAgents", listAgentsSql(schema)],
    ["deleteAgent", deleteAgentSql(schema)],
    ["createSession", createSessionSql(schema)],
    ["findSession", findSessionSql(schema)],
    ["listSessions", listSessionsSql(schema)],
    ["deleteSession", deleteSessionSql(schema)],
    ["createKey", createKeySql(schema)],
    ["listKeys", listKeysSql(schema)],
    ["revokeKey", revokeKeySql(schema)],
    ["authenticate", authenticateSql(schema)],
    ["createSignIn", createSignInSql(schema)],
    ["findSignIn", findSignInSql(schema)],
    ["endSignIn", endSignInSql(schema)],
    ["audit:tenant", auditSql(schema, "tenant:0")],
    ["audit:agent", auditSql(schema, "agent:1")],
    ["pruneAudit", pruneAuditSql(schema)],
    ["eventsAfter", eventsAfterSql(schema)],
    ["lastEvent", lastEventSql(schema)],
  ]);
}
