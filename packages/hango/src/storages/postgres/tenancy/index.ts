/** Tenancy, as `hango/postgres` exports it. */
export type { AgentRow, AgentSessionRow, AuditQuery, AuditRow, DirectoryPage, EventQuery, Principal, RecordedEvent, Role, SignedIn } from "../../../tenancy.ts";
export type { DeletedAgent, NewAgent } from "./agents.ts";
export type { PruneAuditOptions } from "./audit-prune.ts";
export type { FenceReport } from "./fence.ts";
export { hasTenancy } from "./has-tenancy.ts";
export type { CreatedKey, NewKey } from "./keys.ts";
export type { NewSession } from "./sessions.ts";
export { type Tenancy, tenancyOf } from "./tenancy.ts";
export type { Deleted, NewTenant } from "./tenants.ts";
export type { ApiKeyRow, TenantRow } from "./types.ts";
