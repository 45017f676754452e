/** Looks at a database from outside, without opening its files: for `doctor`, and for what undoing a migration would drop. */
import { checkOptions } from "./database-options.ts";
import type { Row } from "./driver/driver.ts";
import { type MigrateOptions, onConnection } from "./migrate.ts";
import { listMigrations, MIGRATION_NAMES } from "./migrations/run.ts";
import { NAMESPACE_TABLES, TABLES_OF_MIGRATION } from "./migrations/tables.ts";
import type { SqlConnection } from "./sql-connection.ts";

export interface TableReport {
  readonly name: string;
  readonly rows: number;
  /** False: the role may not see every row, so the number is the server's own estimate. */
  readonly exact: boolean;
  /** On disk, with its indexes. */
  readonly bytes: number;
}

export interface DatabaseReport {
  /** "PostgreSQL 18.4 on …" */
  readonly product: string;
  /** 180004 for 18.4. */
  readonly version: number;
  readonly encoding: string;
  readonly role: string;
  readonly superuser: boolean;
  /** Passes the row-level security policies by. */
  readonly passesPolicies: boolean;
  readonly ownsTables: boolean;
  readonly mayReadAndWrite: boolean;
  readonly readOnly: boolean;
  /** Each by its name; absent where the server has no such setting. */
  readonly settings: ReadonlyMap<string, string>;
  readonly hasLz4: boolean;
  /** How contents are compressed now: "l" for LZ4, "p" for the default; absent without tables. */
  readonly contentCompression?: string;
  /** True when two statements of one connection met different server processes: a transaction pooler stands between. */
  readonly backendChanges: boolean;
  readonly connections: number;
  readonly tables: number;
  readonly tablesExpected: number;
  /** Tables on which row-level security is on for everyone. */
  readonly forced: number;
  /** Migrations that have not run; undefined when the role can't see which have. */
  readonly missing: readonly string[] | undefined;
}

const SETTINGS: readonly string[] = [
  "synchronous_commit",
  "statement_timeout",
  "default_toast_compression",
  "max_connections",
  "datestyle",
  "array_nulls",
  "row_security",
  "server_version",
];

const FACTS = `select version() as product, current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding, current_user::text as role,
  r.rolsuper as superuser, r.rolsuper or r.rolbypassrls as passes, pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only,
  coalesce((select 'lz4' = any(enumvals) from pg_catalog.pg_settings where name = 'default_toast_compression'), false) as lz4,
  (select count(*)::int from pg_catalog.pg_stat_activity where datname = current_database()) as connections
from pg_catalog.pg_roles r where r.rolname = current_user`;

const TABLES = `select count(*)::int as tables, (count(*) filter (where c.relrowsecurity and c.relforcerowsecurity))::int as forced,
  coalesce(bool_and(pg_has_role(c.relowner, 'usage')), false) as owns,
  coalesce(bool_and(has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
    and (c.relname = 'audit_events' or has_table_privilege(c.oid, 'update')) and has_table_privilege(c.oid, 'delete')), false) as may,
  (select a.attcompression::text from pg_catalog.pg_attribute a join pg_catalog.pg_class f on f.oid = a.attrelid
    where f.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = $1) and f.relname = 'agent_files' and a.attname = 'content') as compression
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname = any($2)`;

const SIZES = `select c.relname::text as name, pg_total_relation_size(c.oid)::float8 as bytes, greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0)::float8 as rows
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = any($2) order by c.relname collate "C"`;

/** What a database is, and how it is set. Errors: unavailable when it can't be reached. */
export async function inspectDatabase(url: string, options: MigrateOptions = {}): Promise<DatabaseReport> {
  checkOptions("inspectDatabase", options, ["schema", "pool"]);
  return onConnection(url, options, async (connection, schema) => {
    const facts = await oneRow(connection, FACTS);
    const tables = await oneRow(connection, TABLES, [schema, NAMESPACE_TABLES]);
    const compression = tables["compression"];
    return {
      product: String(facts["product"]),
      version: Number(facts["version"]),
      encoding: String(facts["encoding"]),
      role: String(facts["role"]),
      superuser: facts["superuser"] === true,
      passesPolicies: facts["passes"] === true,
      ownsTables: tables["owns"] === true,
      mayReadAndWrite: tables["may"] === true,
      readOnly: facts["read_only"] === true,
      settings: await settingsOf(connection),
      hasLz4: facts["lz4"] === true,
      ...(compression === null || compression === undefined ? {} : { contentCompression: String(compression) }),
      backendChanges: await changesBackend(connection),
      connections: Number(facts["connections"]),
      tables: Number(tables["tables"]),
      tablesExpected: NAMESPACE_TABLES.length,
      forced: Number(tables["forced"]),
      missing: await missingMigrations(connection, schema),
    };
  });
}

export interface MigrationLoss {
  /** What would be undone, newest first. */
  readonly migrations: readonly string[];
  /** What would be dropped. */
  readonly tables: readonly TableReport[];
  /** In the tables of files that would be dropped; the bytes of their contents, and absent when the role may not see every row. */
  readonly files?: { readonly count: number; readonly bytes: number };
}

/** What `migrateDown` with as many steps would drop. Errors: as migrateDown. */
export async function migrationLoss(url: string, options: MigrateOptions & { readonly steps?: number } = {}): Promise<MigrationLoss> {
  checkOptions("migrationLoss", options, ["schema", "pool", "steps"]);
  const { steps = 1, ...rest } = options;
  return onConnection(url, rest, async (connection, schema) => {
    const ran = (await listMigrations(connection, schema)).filter(({ executedAt }) => executedAt !== undefined).map(({ name }) => name);
    const migrations = ran.toReversed().slice(0, steps);
    const names = migrations.flatMap((name) => TABLES_OF_MIGRATION.get(name) ?? []);
    const exact = (await oneRow(connection, FACTS))["passes"] === true;
    const tables: TableReport[] = [];
    for (const row of (await connection.query(SIZES, [schema, names])).rows) {
      const name = String(row["name"]);
      const rows = exact ? (await oneRow(connection, `select count(*)::float8 as rows from "${schema}"."${name}"`))["rows"] : row["rows"];
      tables.push({ name, rows: Number(rows), exact, bytes: Number(row["bytes"]) });
    }
    if (!exact || !tables.some(({ name }) => name === "agent_files")) return { migrations, tables };
    const sum = await oneRow(connection, `select count(*)::float8 as files, coalesce(sum(size_bytes), 0)::float8 as bytes from "${schema}".agent_files`);
    return { migrations, tables, files: { count: Number(sum["files"]), bytes: Number(sum["bytes"]) } };
  });
}

async function settingsOf(connection: SqlConnection): Promise<ReadonlyMap<string, string>> {
  const { rows } = await connection.query("select name, current_setting(name) as value from pg_catalog.pg_settings where lower(name) = any($1)", [SETTINGS]);
  return new Map(rows.map((row) => [String(row["name"]).toLowerCase(), String(row["value"])]));
}

/** Asked a few times: a pooler may happen to give the same process again. */
async function changesBackend(connection: SqlConnection): Promise<boolean> {
  const seen = new Set<unknown>();
  for (let asked = 0; asked < 5; asked++) seen.add((await oneRow(connection, "select pg_backend_pid() as pid"))["pid"]);
  return seen.size > 1;
}

async function missingMigrations(connection: SqlConnection, schema: string): Promise<readonly string[] | undefined> {
  const [table] = (
    await connection.query(
      "select has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'migrations'",
      [schema],
    )
  ).rows;
  if (table === undefined) return MIGRATION_NAMES;
  if (table["readable"] !== true) return undefined;
  const ran = new Set((await connection.query(`select name from "${schema}"."migrations"`)).rows.map((row) => row["name"]));
  return MIGRATION_NAMES.filter((name) => !ran.has(name));
}

async function oneRow(connection: SqlConnection, text: string, values: readonly (string | readonly string[])[] = []): Promise<Row> {
  return (await connection.query(text, values)).rows[0] ?? {};
}
