/** Keys: who may come in, and as what. */
import { HangoError } from "../../../errors.ts";
import { parseUuid, uuidV7 } from "../../../path/uuid.ts";
import type { Driver, Row } from "../driver/driver.ts";
import { dateOf, inScope, lastRows, run, textOf } from "../sql/scope.ts";
import { type FixedSql, fixed } from "../sql/statement.ts";
import { createSecret, parseSecret } from "./secret.ts";
import { ofTenant, tenancyTablesOf } from "./tables.ts";
import { checkLabel, DOOR_TIMEOUT_MS, MAX_SUBJECT_CHARS, pageValues, tenantScope } from "./tenant-scope.ts";
import type { DirectoryPage, Principal, Role } from "../../../tenancy.ts";
import { type ApiKeyRow, ROLES } from "./types.ts";

export interface NewKey {
  /** Default: a new one. */
  readonly id?: string;
  /** Who it is: goes into the record. */
  readonly subject: string;
  readonly role: Role;
  /** Default: never. */
  readonly expiresAt?: Date;
}

/** The row with the key itself, which nobody can be told again. */
export interface CreatedKey extends ApiKeyRow {
  readonly key: string;
}

const COLUMNS = "key_id as id, prefix, subject, role, created_at, expires_at, revoked_at";

/** What makes a key one that opens. */
export function isLive(alias: string): string {
  return `${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > now())`;
}

/** Sent again after a lost answer, it finds its own row. */
export const createKeySql: FixedSql = fixed(
  (schema) => `insert into ${tenancyTablesOf(schema).keys} as k (tenant_id, key_id, hash, prefix, subject, role, expires_at)
    values ($tenant::uuid, $key::uuid, $hash::text, $prefix::text, $subject::text, $role::text, $expires::timestamptz)
    on conflict (tenant_id, key_id) do update set prefix = excluded.prefix where k.hash = excluded.hash returning ${COLUMNS}`,
);

export const listKeysSql: FixedSql = fixed(
  (schema) => `select ${COLUMNS} from ${tenancyTablesOf(schema).keys} where ${ofTenant()} and key_id > $after::uuid order by key_id limit $limit::int`,
);

/** The sign-ins that the key was traded for go with it. */
export const revokeKeySql: FixedSql = fixed(
  (schema) => `with gone as (delete from ${tenancyTablesOf(schema).signIns} where ${ofTenant()} and key_id = $key::uuid)
    update ${tenancyTablesOf(schema).keys} set revoked_at = coalesce(revoked_at, now()) where ${ofTenant()} and key_id = $key::uuid returning ${COLUMNS}`,
);

export const authenticateSql: FixedSql = fixed(
  (schema) => `select k.tenant_id, k.subject, k.role from ${tenancyTablesOf(schema).keys} k where ${ofTenant("k")} and k.hash = $hash::text and ${isLive("k")}`,
);

/** Errors: already_exists for an id that is taken; invalid_argument, also for a tenant that does not exist. */
export async function createKey(driver: Driver, tenantId: string, { id = uuidV7(), subject, role, expiresAt }: NewKey): Promise<CreatedKey> {
  const scope = tenantScope(driver, tenantId);
  if (!ROLES.includes(role)) throw new HangoError("invalid_argument", `A key's role is one of ${ROLES.join(", ")}.`);
  if (expiresAt !== undefined && !(expiresAt.getTime() > Date.now())) throw new HangoError("invalid_argument", "A key's expiresAt must be a time to come.");
  const { text, hash, prefix } = createSecret("key", scope.namespace.tenantId);
  const values = {
    key: parseUuid(id, "A key's id"),
    hash,
    prefix,
    subject: checkLabel(subject, "A key's subject", MAX_SUBJECT_CHARS),
    role,
    expires: expiresAt?.toISOString() ?? null,
  };
  const [row] = lastRows(await run(scope, [inScope(scope, createKeySql(driver.schema), values)]));
  if (row === undefined) throw new HangoError("already_exists", `The key ${values.key} exists already; nothing was changed.`);
  return { ...keyOfRow(row), key: text };
}

/** In order of making. */
export async function listKeys(driver: Driver, tenantId: string, page: DirectoryPage): Promise<readonly ApiKeyRow[]> {
  const scope = tenantScope(driver, tenantId);
  return lastRows(await run(scope, [inScope(scope, listKeysSql(driver.schema), pageValues(page))])).map(keyOfRow);
}

/** Ends a key and every sign-in made with it, at once. Errors: not_found. */
export async function revokeKey(driver: Driver, tenantId: string, keyId: string): Promise<ApiKeyRow> {
  const scope = tenantScope(driver, tenantId);
  const [row] = lastRows(await run(scope, [inScope(scope, revokeKeySql(driver.schema), { key: parseUuid(keyId, "A key's id") })]));
  if (row === undefined) throw new HangoError("not_found", `The tenant ${scope.namespace.tenantId} has no key ${keyId}.`);
  return keyOfRow(row);
}

/** Whose key it is. Undefined for one that is unknown, revoked, expired or no key at all; each costs the same one statement. */
export async function authenticateKey(driver: Driver, key: string): Promise<Principal | undefined> {
  const { tenantId, hash } = parseSecret("key", key);
  const scope = tenantScope(driver, tenantId);
  const rows = lastRows(await run(scope, [inScope(scope, authenticateSql(driver.schema), { hash })], { timeoutMs: DOOR_TIMEOUT_MS }));
  return rows.map(principalOf)[0];
}

export function principalOf(row: Row): Principal {
  return { tenantId: textOf(row, "tenant_id") ?? "", subject: textOf(row, "subject") ?? "", role: roleOf(row) };
}

function roleOf(row: Row): Role {
  const role = ROLES.find((known) => known === row["role"]);
  if (role === undefined) throw new HangoError("internal", "The database answered with a role that is none.");
  return role;
}

function keyOfRow(row: Row): ApiKeyRow {
  const [expiresAt, revokedAt] = [dateOf(row, "expires_at"), dateOf(row, "revoked_at")];
  return {
    id: textOf(row, "id") ?? "",
    prefix: textOf(row, "prefix") ?? "",
    subject: textOf(row, "subject") ?? "",
    role: roleOf(row),
    createdAt: dateOf(row, "created_at") ?? new Date(Number.NaN),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(revokedAt === undefined ? {} : { revokedAt }),
  };
}
