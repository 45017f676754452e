/** What is asked of a server once, at start. */
import type { SqlConnection } from "../sql-connection.ts";

export interface ServerFacts {
  /** 180004 for 18.4. */
  readonly version: number;
  /** "PostgreSQL 18.4 on …"; engines that speak its protocol name themselves here. */
  readonly product: string;
  readonly encoding: string;
  readonly synchronousCommit: string;
  /** Settings of the session that change what hango's statements mean or answer. */
  readonly settings: { readonly datestyle: string; readonly array_nulls: string; readonly row_security: string };
  readonly role: string;
  /** A superuser, or BYPASSRLS: the row-level security policies don't hold for it. */
  readonly passesPolicies: boolean;
  /** May set temp_file_limit, which is a superuser's parameter. */
  readonly setsTempFileLimit: boolean;
  readonly makesTemporaryTables: boolean;
  /** How many of the tables asked for are there, and on how many row-level security is forced. */
  readonly tables: number;
  readonly forced: number;
  /** Undefined when the role can't see the table of migrations. */
  readonly migrations: readonly string[] | undefined;
}

/** The catalog answers to every role, so nothing here needs a grant but the last question, which asks first. */
const FACTS = `select current_setting('server_version_num')::int as version, version() as product, current_setting('server_encoding') as encoding,
  current_setting('synchronous_commit') as synchronous_commit, current_setting('datestyle') as datestyle,
  current_setting('array_nulls') as array_nulls, current_setting('row_security') as row_security, current_user::text as role,
  (select rolsuper or rolbypassrls from pg_catalog.pg_roles where rolname = current_user) as passes_policies,
  (select rolsuper from pg_catalog.pg_roles where rolname = current_user) as superuser,
  has_database_privilege(current_database(), 'temporary') as temporary,
  count(c.oid)::int as tables, (count(c.oid) filter (where c.relrowsecurity and c.relforcerowsecurity))::int as forced
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname = any($2)`;

const CAN_READ = `select c.oid is not null and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`;

export async function readServerFacts(
  connection: SqlConnection,
  schema: string,
  names: { readonly tables: readonly string[]; readonly migrationTable: string },
): Promise<ServerFacts> {
  const [row] = (await connection.query(FACTS, [schema, names.tables])).rows;
  const version = Number(row?.["version"]);
  return {
    version,
    product: String(row?.["product"]),
    encoding: String(row?.["encoding"]),
    synchronousCommit: String(row?.["synchronous_commit"]),
    settings: { datestyle: String(row?.["datestyle"]), array_nulls: String(row?.["array_nulls"]), row_security: String(row?.["row_security"]) },
    role: String(row?.["role"]),
    passesPolicies: row?.["passes_policies"] === true,
    setsTempFileLimit: row?.["superuser"] === true || (version >= 150000 && (await mayGrantedSet(connection))),
    makesTemporaryTables: row?.["temporary"] === true,
    tables: Number(row?.["tables"]),
    forced: Number(row?.["forced"]),
    migrations: await appliedMigrations(connection, schema, names.migrationTable),
  };
}

async function mayGrantedSet(connection: SqlConnection): Promise<boolean> {
  const { rows } = await connection.query("select has_parameter_privilege('temp_file_limit', 'set') as may");
  return rows[0]?.["may"] === true;
}

/** The names that ran; undefined when the role can't see their table, or there is none. */
export async function appliedMigrations(connection: SqlConnection, schema: string, table: string): Promise<readonly string[] | undefined> {
  const { rows } = await connection.query(CAN_READ, [schema, table]);
  if (rows[0]?.["readable"] !== true) return undefined;
  return (await connection.query(`select name from "${schema}"."${table}" order by name`)).rows.map((row) => String(row["name"]));
}
