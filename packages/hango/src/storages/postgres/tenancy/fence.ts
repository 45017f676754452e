/** Whether row-level security holds for the role that the database was opened with. */
import type { Driver } from "../driver/driver.ts";
import { NIL_ID } from "./tenant-scope.ts";

export interface FenceReport {
  readonly fenced: boolean;
  readonly role: string;
  /** Why it is not, each as one sentence; empty when it is. */
  readonly problems: readonly string[];
  /** What is no hole, but should be known at start. */
  readonly warnings: readonly string[];
}

/** The tables are read from the catalog, so that one which a later version adds is never left out. */
const FACTS = `select current_user::text as role, r.rolsuper as superuser, r.rolbypassrls as bypass, r.rolcreaterole as creates_roles,
  current_setting('synchronous_commit') as synchronous_commit,
  exists (select 1 from pg_catalog.pg_roles o where (o.rolsuper or o.rolbypassrls) and o.rolname <> current_user and pg_has_role(current_user, o.oid, 'member')) as may_become,
  (select coalesce(array_agg(t.name order by t.name) filter (where t.owns), '{}') from t) as owned,
  (select coalesce(array_agg(t.name order by t.name) filter (where not t.forced), '{}') from t) as unforced,
  (select coalesce(array_agg(t.name order by t.name) filter (where t.policies = 0), '{}') from t) as unpoliced,
  (select count(*)::int from t) as tables
from pg_catalog.pg_roles r where r.rolname = current_user`;
const TABLES = `with t as materialized (select c.relname::text as name, pg_has_role(current_user, c.relowner, 'member') as owns,
    c.relrowsecurity and c.relforcerowsecurity as forced, (select count(*)::int from pg_catalog.pg_policy p where p.polrelid = c.oid) as policies
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
  where n.nspname = $1 and c.relkind in ('r', 'p'))`;

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);

export async function checkFence(driver: Driver): Promise<FenceReport> {
  const { rows } = await driver.run([{ text: `${TABLES} ${FACTS}`, values: [driver.schema] }], { namespace: { tenantId: NIL_ID, agentId: "" } });
  const facts = rows[0]?.[0] ?? {};
  const role = String(facts["role"]);
  const [owned, unforced, unpoliced] = [listOf(facts["owned"]), listOf(facts["unforced"]), listOf(facts["unpoliced"])];
  const problems = [
    driver.capabilities.engine === "pglite" ? "PGlite has one role, a superuser: this process itself is the only fence." : "",
    facts["superuser"] === true ? `The role ${role} is a superuser.` : "",
    facts["bypass"] === true ? `The role ${role} has BYPASSRLS.` : "",
    facts["may_become"] === true ? `The role ${role} may become a superuser or one with BYPASSRLS (it is a member of such a role).` : "",
    owned.length > 0 && facts["superuser"] !== true ? `The role ${role} owns ${owned.join(", ")}, so it could lift the policies.` : "",
    unforced.length > 0 ? `Row-level security is not forced on ${unforced.join(", ")}.` : "",
    unpoliced.length > 0 ? `No policy stands on ${unpoliced.join(", ")}.` : "",
    Number(facts["tables"]) === 0 ? `The schema ${driver.schema} has no tables of hango.` : "",
  ].filter((text) => text !== "");
  const warnings = [
    facts["creates_roles"] === true && facts["superuser"] !== true ? `The role ${role} may create roles, which the service never needs.` : "",
    facts["synchronous_commit"] === "off" ? "synchronous_commit is off: a crash of the server loses writes that were acknowledged." : "",
  ].filter((text) => text !== "");
  return { fenced: problems.length === 0, role, problems, warnings };
}
