/**
 * The lock of a namespace's tree. Two creates that each see no file above and no directory below must not both commit;
 * the lock is a statement of its own, because inside the insert's statement the snapshot would be older than the lock.
 * The order of locks everywhere: tree, then files by path, then usage.
 */
import type { Statement } from "../driver/driver.ts";
import { inScope, type Scope } from "./scope.ts";
import { fixed, type FixedSql } from "./statement.ts";
import { owned, tablesOf } from "./tables.ts";

export const advisoryLockSql: FixedSql = fixed(
  () => `select pg_advisory_xact_lock(hashtextextended(k.tenant_id::text || '/' || k.agent_id::text, 0))::text
    from (select $tenant::uuid as tenant_id, $agent::uuid as agent_id) k`,
);

/** The portable form: the row must exist before it can be locked. */
export const lockRowSql: FixedSql = fixed(
  (schema) => `insert into ${tablesOf(schema).trees} (tenant_id, agent_id) values ($tenant::uuid, $agent::uuid) on conflict (tenant_id, agent_id) do nothing`,
);
export const holdRowSql: FixedSql = fixed((schema) => `select tenant_id from ${tablesOf(schema).trees} where ${owned()} for no key update`);

/** What goes in front of a statement that creates files; nothing where transactions run one after another. */
export function treeLock(scope: Scope): readonly Statement[] {
  const { schema, capabilities } = scope.driver;
  if (capabilities.treeLock === "none") return [];
  if (capabilities.treeLock === "advisory") return [inScope(scope, advisoryLockSql(schema))];
  return [inScope(scope, lockRowSql(schema)), inScope(scope, holdRowSql(schema))];
}
