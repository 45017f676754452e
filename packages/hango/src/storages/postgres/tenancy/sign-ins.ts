/** Sign-ins: what a browser holds instead of the key it was traded for, and dies with it. */
import type { Driver } from "../driver/driver.ts";
import { dateOf, inScope, lastRows, run } from "../sql/scope.ts";
import { type FixedSql, fixed } from "../sql/statement.ts";
import { isLive, principalOf } from "./keys.ts";
import { createSecret, parseSecret } from "./secret.ts";
import { ofTenant, tenancyTablesOf } from "./tables.ts";
import { DOOR_TIMEOUT_MS, tenantScope } from "./tenant-scope.ts";
import type { Principal, SignedIn } from "../../../tenancy.ts";

/** Half a day: longer than a working day, shorter than until the next. */
const SIGN_IN_MS = 12 * 3_600_000;

/** Never outlives the key. Old ones of the tenant are swept on the way. */
export const createSignInSql: FixedSql = fixed((schema) => {
  const { keys, signIns } = tenancyTablesOf(schema);
  return `with swept as (delete from ${signIns} where ${ofTenant()} and expires_at < now()),
    k as (select tenant_id, key_id, subject, role, least(expires_at, now() + $ttl::float8 * interval '1 millisecond') as until
      from ${keys} k where ${ofTenant("k")} and k.hash = $key::text and ${isLive("k")}),
    made as (insert into ${signIns} (tenant_id, hash, key_id, expires_at) select $tenant::uuid, $hash::text, k.key_id, k.until from k
      on conflict (tenant_id, hash) do nothing)
    select tenant_id, subject, role, until from k`;
});

export const findSignInSql: FixedSql = fixed((schema) => {
  const { keys, signIns } = tenancyTablesOf(schema);
  return `select k.tenant_id, k.subject, k.role from ${signIns} s join ${keys} k on ${ofTenant("k")} and k.key_id = s.key_id
    where ${ofTenant("s")} and s.hash = $hash::text and s.expires_at > now() and ${isLive("k")}`;
});

export const endSignInSql: FixedSql = fixed((schema) => `delete from ${tenancyTablesOf(schema).signIns} where ${ofTenant()} and hash = $hash::text`);

const timeoutMs = DOOR_TIMEOUT_MS;

/** Trades a key for a token. Undefined for a key that does not open. */
export async function createSignIn(driver: Driver, key: string): Promise<SignedIn | undefined> {
  const known = parseSecret("key", key);
  const scope = tenantScope(driver, known.tenantId);
  const { text, hash } = createSecret("signIn", known.tenantId);
  const [row] = lastRows(await run(scope, [inScope(scope, createSignInSql(driver.schema), { key: known.hash, hash, ttl: SIGN_IN_MS })], { timeoutMs }));
  const expiresAt = row === undefined ? undefined : dateOf(row, "until");
  return row === undefined || expiresAt === undefined ? undefined : { token: text, expiresAt, principal: principalOf(row) };
}

/** Whose it is; undefined once it has ended, or its key has. */
export async function findSignIn(driver: Driver, token: string): Promise<Principal | undefined> {
  const { tenantId, hash } = parseSecret("signIn", token);
  const scope = tenantScope(driver, tenantId);
  return lastRows(await run(scope, [inScope(scope, findSignInSql(driver.schema), { hash })], { timeoutMs })).map(principalOf)[0];
}

/** Nothing to do for one that is none. */
export async function endSignIn(driver: Driver, token: string): Promise<void> {
  const { tenantId, hash } = parseSecret("signIn", token);
  const scope = tenantScope(driver, tenantId);
  await run(scope, [inScope(scope, endSignInSql(driver.schema), { hash })], { timeoutMs });
}
