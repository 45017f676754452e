/** The tables by their qualified names, and the pieces of SQL that most statements share. */

export interface Tables {
  readonly files: string;
  readonly usage: string;
  readonly trees: string;
  readonly events: string;
}

/** Qualifies the names; nothing ever rests on a search path. */
export function tablesOf(schema: string): Tables {
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  return { files: `${quoted}.agent_files`, usage: `${quoted}.agent_usage`, trees: `${quoted}.agent_trees`, events: `${quoted}.audit_events` };
}

/** Every statement carries tenant and agent, also where row-level security would say the same. */
export function owned(alias?: string): string {
  const dot = alias === undefined ? "" : `${alias}.`;
  return `${dot}tenant_id = $tenant::uuid and ${dot}agent_id = $agent::uuid`;
}

/** What describes a file, never its content. */
export function infoColumns(alias?: string): string {
  const dot = alias === undefined ? "" : `${alias}.`;
  return ["id", "version", "size_bytes", "content_type", "created_at", "updated_at"].map((name) => dot + name).join(", ");
}

/** True where something stands below `path`: "0" follows "/" in byte order, so a directory is a range. */
export function hasBelow(files: string, path: string): string {
  return `exists (select 1 from ${files} where ${owned()} and path >= ${path} || '/' and path < ${path} || '0')`;
}
