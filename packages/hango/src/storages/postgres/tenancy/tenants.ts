/** Tenants, and what the agents of one use together. */
import { HangoError } from "../../../errors.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { Driver, Row } from "../driver/driver.ts";
import { type Quota, quotaValues, type Usage } from "../sql/quota.ts";
import { dateOf, inScope, lastRows, numberOf, run, type Scope, textOf } from "../sql/scope.ts";
import { bind, type FixedSql, fixed } from "../sql/statement.ts";
import { listAllAgents, removeAgent } from "./agents.ts";
import { madeRow } from "./made-row.ts";
import { ofTenant, tenancyTablesOf } from "./tables.ts";
import { checkLabel, NIL_ID, pageValues, tenantScope } from "./tenant-scope.ts";
import type { DirectoryPage } from "../../../tenancy.ts";
import type { TenantRow } from "./types.ts";

export interface NewTenant {
  /** Default: a new one. */
  readonly id?: string;
  readonly name: string;
}

export interface Deleted {
  readonly agents: number;
  readonly files: number;
  readonly bytes: number;
}

export const createTenantSql: FixedSql = fixed(
  (schema) => `with made as (insert into ${tenancyTablesOf(schema).tenants} (tenant_id, name) values ($tenant::uuid, $name::text)
      on conflict (tenant_id) do nothing returning tenant_id as id, name, created_at)
    select id, name, created_at, true as made from made union all
    select tenant_id, name, created_at, false from ${tenancyTablesOf(schema).tenants} where ${ofTenant()}`,
);

/** The one statement that is of no tenant: a policy of its own shows it ids and names. */
export const listTenantsSql: FixedSql = fixed(
  (schema) =>
    `select tenant_id as id, name, created_at from ${tenancyTablesOf(schema).tenants} where tenant_id > $after::uuid order by tenant_id limit $limit::int`,
);

export const findTenantSql: FixedSql = fixed(
  (schema) => `select tenant_id as id, name, created_at from ${tenancyTablesOf(schema).tenants} where ${ofTenant()}`,
);

export const deleteTenantSql: FixedSql = fixed((schema) => `delete from ${tenancyTablesOf(schema).tenants} where ${ofTenant()} returning tenant_id`);

export const deleteKeysSql: FixedSql = fixed((schema) => `delete from ${tenancyTablesOf(schema).keys} where ${ofTenant()}`);

export const tenantUsageSql: FixedSql = fixed(
  (schema) => `select t.max_files, t.max_bytes, coalesce(u.files, 0) as files, coalesce(u.bytes, 0) as bytes
    from ${tenancyTablesOf(schema).tenants} t
    cross join (select sum(files) as files, sum(bytes) as bytes from ${tenancyTablesOf(schema).usage} where ${ofTenant()}) u where ${ofTenant("t")}`,
);

export const setTenantQuotaSql: FixedSql = fixed(
  (schema) =>
    `update ${tenancyTablesOf(schema).tenants} set max_files = $maxFiles::bigint, max_bytes = $maxBytes::bigint where ${ofTenant()} returning tenant_id`,
);

/** Errors: already_exists. */
export async function createTenant(driver: Driver, { id = uuidV7(), name }: NewTenant): Promise<TenantRow> {
  const scope = tenantScope(driver, id);
  const result = await run(scope, [inScope(scope, createTenantSql(driver.schema), { name: checkLabel(name, "A tenant's name") })]);
  return madeRow(lastRows(result), { attempts: result.attempts, what: `The tenant ${scope.namespace.tenantId}`, rowOf: tenantOf });
}

/** In order of ids. */
export async function listTenants(driver: Driver, page: DirectoryPage): Promise<readonly TenantRow[]> {
  const { rows } = await driver.run([bind(listTenantsSql(driver.schema), pageValues(page))], {
    namespace: { tenantId: NIL_ID, agentId: "" },
    settings: { "hango.every_tenant": "on" },
  });
  return (rows.at(-1) ?? []).map(tenantOf);
}

export async function findTenant(driver: Driver, tenantId: string): Promise<TenantRow | undefined> {
  const scope = tenantScope(driver, tenantId);
  return lastRows(await run(scope, [inScope(scope, findTenantSql(driver.schema))])).map(tenantOf)[0];
}

/**
 * Deletes a tenant with all it has: its keys first, so that nobody comes in meanwhile, then one agent after the other.
 * Atomicity: one agent a transaction; what an aborted call leaves, the next one deletes. Errors: not_found.
 */
export async function deleteTenant(driver: Driver, tenantId: string, signal?: AbortSignal): Promise<Deleted> {
  const scope = tenantScope(driver, tenantId);
  const options = signal === undefined ? {} : { signal };
  await run(scope, [inScope(scope, deleteKeysSql(driver.schema))], options);
  let deleted: Deleted = { agents: 0, files: 0, bytes: 0 };
  for await (const { id } of listAllAgents(scope)) {
    signal?.throwIfAborted();
    const gone = await removeAgent(driver, { tenantId, agentId: id });
    if (gone !== undefined) deleted = { agents: deleted.agents + 1, files: deleted.files + gone.files, bytes: deleted.bytes + gone.bytes };
  }
  const result = await run(scope, [inScope(scope, deleteTenantSql(driver.schema))], options);
  if (lastRows(result).length === 0 && result.attempts === 1 && deleted.agents === 0) throw noTenant(scope);
  return deleted;
}

/** What the tenant's agents hold together, and what it may hold. Errors: not_found. */
export async function tenantUsage(driver: Driver, tenantId: string): Promise<Usage> {
  const scope = tenantScope(driver, tenantId);
  const [row] = lastRows(await run(scope, [inScope(scope, tenantUsageSql(driver.schema))]));
  if (row === undefined) throw noTenant(scope);
  const [maxFiles, maxBytes] = [numberOf(row, "max_files"), numberOf(row, "max_bytes")];
  return {
    files: numberOf(row, "files") ?? 0,
    bytes: numberOf(row, "bytes") ?? 0,
    ...(maxFiles === undefined ? {} : { maxFiles }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** Sets both limits; one that is not given is lifted. Limits: held by tenancy's `storage`, which looks before it writes; writers at the same moment may overshoot. Errors: not_found. */
export async function setTenantQuota(driver: Driver, tenantId: string, quota: Quota): Promise<void> {
  const scope = tenantScope(driver, tenantId);
  const values = quotaValues(quota);
  if (lastRows(await run(scope, [inScope(scope, setTenantQuotaSql(driver.schema), values)])).length === 0) throw noTenant(scope);
}

function noTenant({ namespace }: Scope): HangoError {
  return new HangoError("not_found", `There is no tenant ${namespace.tenantId}.`);
}

function tenantOf(row: Row): TenantRow {
  return { id: textOf(row, "id") ?? "", name: textOf(row, "name") ?? "", createdAt: dateOf(row, "created_at") ?? new Date(Number.NaN) };
}
