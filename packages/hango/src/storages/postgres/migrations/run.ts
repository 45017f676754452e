/** The migrations, in order, and the one place that runs them. */
import { type Migration, type MigrationInfo, type MigrationResultSet, Migrator } from "kysely/migration";
import { HangoError } from "../../../errors.ts";
import { fromSqlError, isSqlError } from "../errors.ts";
import type { SqlConnection } from "../sql-connection.ts";
import { filesMigration } from "./001-files.ts";
import { auditMigration } from "./002-audit.ts";
import { rowLevelSecurityMigration } from "./003-row-level-security.ts";
import { kyselyOver } from "./dialect.ts";
import { tenancyMigration } from "./server-001-tenancy.ts";

/** By name; the order of names is the order of running. A name is never reused. */
function migrationsFor(schema: string): Record<string, Migration> {
  return {
    "001-files": filesMigration(schema),
    "002-audit": auditMigration(schema),
    "003-row-level-security": rowLevelSecurityMigration(schema),
  };
}

/** What a server needs beside them. A list of its own, so that either list can grow. */
function serverMigrationsFor(schema: string): Record<string, Migration> {
  return { "server-001-tenancy": tenancyMigration(schema) };
}

export const MIGRATION_TABLE = "migrations";
export const SERVER_MIGRATION_TABLE = "server_migrations";

/** Names in order, for the check at start. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(migrationsFor("hango"));
export const SERVER_MIGRATION_NAMES: readonly string[] = Object.keys(serverMigrationsFor("hango"));

interface MigrationList {
  readonly table: string;
  readonly migrations: (schema: string) => Record<string, Migration>;
}

const base: MigrationList = { table: MIGRATION_TABLE, migrations: migrationsFor };
const server: MigrationList = { table: SERVER_MIGRATION_TABLE, migrations: serverMigrationsFor };

function migratorOver(connection: SqlConnection, schema: string, { table, migrations }: MigrationList): Migrator {
  return new Migrator({
    db: kyselyOver(connection),
    provider: { getMigrations: async () => migrations(schema) },
    migrationTableSchema: schema,
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  });
}

function appliedNames(result: MigrationResultSet): readonly string[] {
  if (result.error !== undefined) {
    const failed = result.results?.find((row) => row.status === "Error")?.migrationName;
    const text =
      failed === undefined
        ? "The migrations could not run; nothing was changed. (What a newer hango migrated needs that hango.)"
        : `Migration ${failed} failed; nothing was changed.`;
    if (isSqlError(result.error) && result.error.code === "42501")
      throw new HangoError("forbidden", `${text} The role may not create schemas or tables: migrate with the role that owns them.`, { cause: result.error });
    throw new HangoError(isSqlError(result.error) ? fromSqlError(result.error).code : "internal", text, { cause: result.error });
  }
  return (result.results ?? []).filter((row) => row.status === "Success").map((row) => row.migrationName);
}

export interface RunUpOptions {
  /** Also what a server needs. */
  readonly server?: boolean;
}

/** Runs what is missing, each list in one transaction; safe beside other migrators. Answers the names that ran. */
export async function runUp(connection: SqlConnection, schema: string, { server: alsoServer = false }: RunUpOptions = {}): Promise<readonly string[]> {
  const ran: string[] = [];
  for (const list of alsoServer ? [base, server] : [base]) ran.push(...appliedNames(await migratorOver(connection, schema, list).migrateToLatest()));
  return ran;
}

/** Undoes the newest one, the server's first, which stand on the others. Answers its name, or nothing when there is none. */
export async function runDown(connection: SqlConnection, schema: string): Promise<readonly string[]> {
  const serverRan = (await migratorOver(connection, schema, server).getMigrations()).some(({ executedAt }) => executedAt !== undefined);
  return appliedNames(await migratorOver(connection, schema, serverRan ? server : base).migrateDown());
}

/** Both lists, in the order of running. */
export async function listMigrations(connection: SqlConnection, schema: string): Promise<readonly MigrationInfo[]> {
  const infos: MigrationInfo[] = [];
  for (const list of [base, server]) infos.push(...(await migratorOver(connection, schema, list).getMigrations()));
  return infos;
}
