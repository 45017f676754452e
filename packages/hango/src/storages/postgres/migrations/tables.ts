/** The tables that hold a namespace's rows: each carries tenant_id and agent_id, and each has the row-level security policy. */
export const NAMESPACE_TABLES: readonly string[] = ["agent_files", "agent_usage", "agent_trees", "audit_events"];

/** The policy's name on each of them. */
export const POLICY = "hango_namespace";
