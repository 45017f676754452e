import { HangoError } from "../../errors.ts";
import { type DatabaseTarget, migrateCommand } from "./database-url.ts";
import { runUp } from "./migrations/run.ts";
import { TENANCY_TABLES } from "./migrations/tables.ts";
import type { SqlConnection } from "./sql-connection.ts";

export interface ServerTablesOptions {
  readonly schema: string;
  readonly target: DatabaseTarget;
  readonly migrate: boolean;
}

/** Sees that the tables of a server are there, and makes them where that is asked for. Errors: unavailable, with the command. */
export async function openServerTables(connection: SqlConnection, { schema, target, migrate }: ServerTablesOptions): Promise<void> {
  if (await hasServerTables(connection, schema)) return;
  if (migrate) await runUp(connection, schema, { server: true });
  else
    throw new HangoError(
      "unavailable",
      `The database has no tables of a server yet (tenants, agents, keys). Run: ${migrateCommand(target, schema, { server: true })}`,
    );
}

const COUNT = `select count(*)::int as tables from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname = any($2)`;

async function hasServerTables(connection: SqlConnection, schema: string): Promise<boolean> {
  const { rows } = await connection.query(COUNT, [schema, TENANCY_TABLES]);
  return Number(rows[0]?.["tables"]) === TENANCY_TABLES.length;
}
