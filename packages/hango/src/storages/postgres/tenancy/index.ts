/** Tenancy, as `hango/postgres` exports it. */
export type { DeletedAgent, NewAgent } from "./agents.ts";
export type { EventQuery } from "./audit-after.ts";
export type { AuditQuery } from "./audit-list.ts";
export type { PruneAuditOptions } from "./audit-prune.ts";
export type { AuditRow } from "./audit-row.ts";
export type { FenceReport } from "./fence.ts";
export type { CreatedKey, NewKey } from "./keys.ts";
export type { NewSession } from "./sessions.ts";
export type { SignedIn } from "./sign-ins.ts";
export { type Tenancy, tenancyOf } from "./tenancy.ts";
export type { Deleted, NewTenant } from "./tenants.ts";
export type { AgentRow, AgentSessionRow, ApiKeyRow, Page, Principal, Role, TenantRow } from "./types.ts";
