/** The tables that hold a namespace's rows: each carries tenant_id and agent_id, and each has the row-level security policy. */
export const NAMESPACE_TABLES: readonly string[] = ["agent_files", "agent_usage", "agent_trees", "audit_events"];

/** The policy's name on each of them. */
export const POLICY = "hango_namespace";

/** The server's own tables, in the order of making: each carries tenant_id, and each has its policy. */
export const TENANCY_TABLES: readonly string[] = ["tenants", "agents", "agent_sessions", "api_keys", "sign_ins"];

/** The policy's name on each of these. */
export const TENANT_POLICY = "hango_tenant";

/** The tables that each migration made, and that undoing it drops with what is in them. */
export const TABLES_OF_MIGRATION: ReadonlyMap<string, readonly string[]> = new Map([
  ["001-files", ["agent_files", "agent_usage", "agent_trees"]],
  ["002-audit", ["audit_events"]],
  ["003-row-level-security", []],
  ["server-001-tenancy", TENANCY_TABLES],
]);
