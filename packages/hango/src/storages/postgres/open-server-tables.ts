import { HangoError } from "../../errors.ts";
import { type DatabaseTarget, migrateCommand } from "./database-url.ts";
import { appliedMigrations } from "./driver/server-facts.ts";
import { runUp, SERVER_MIGRATION_NAMES, SERVER_MIGRATION_TABLE } from "./migrations/run.ts";
import { TENANCY_TABLES } from "./migrations/tables.ts";
import type { SqlConnection } from "./sql-connection.ts";

export interface ServerTablesOptions {
  readonly schema: string;
  readonly target: DatabaseTarget;
  readonly migrate: boolean;
}

/** Sees that the tables of a server are there and as this version has them, and makes what is missing where that is asked for. Errors: unavailable, with the command. */
export async function openServerTables(connection: SqlConnection, { schema, target, migrate }: ServerTablesOptions): Promise<void> {
  if (await isMigrated(connection, schema)) return;
  if (migrate) await runUp(connection, schema, { server: true });
  else
    throw new HangoError(
      "unavailable",
      `The database lacks tables of a server (tenants, agents, keys), or they are of an older hango. Run: ${migrateCommand(target, schema, { server: true })}`,
    );
}

const COUNT = `select count(*)::int as tables from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname = any($2)`;

/** By the tables, and where the role can see what ran, also by that: a later migration may add no table. */
async function isMigrated(connection: SqlConnection, schema: string): Promise<boolean> {
  const { rows } = await connection.query(COUNT, [schema, TENANCY_TABLES]);
  if (Number(rows[0]?.["tables"]) !== TENANCY_TABLES.length) return false;
  const ran = await appliedMigrations(connection, schema, SERVER_MIGRATION_TABLE);
  return ran === undefined || SERVER_MIGRATION_NAMES.every((name) => ran.includes(name));
}
