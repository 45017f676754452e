/** The migrations, in order, and the one place that runs them. */
import { type Migration, type MigrationInfo, type MigrationResultSet, Migrator } from "kysely/migration";
import { HangoError } from "../../../errors.ts";
import { fromSqlError, isSqlError } from "../errors.ts";
import type { SqlConnection } from "../sql-connection.ts";
import { filesMigration } from "./001-files.ts";
import { auditMigration } from "./002-audit.ts";
import { rowLevelSecurityMigration } from "./003-row-level-security.ts";
import { kyselyOver } from "./dialect.ts";

/** By name; the order of names is the order of running. A name is never reused. */
function migrationsFor(schema: string): Record<string, Migration> {
  return {
    "001-files": filesMigration(schema),
    "002-audit": auditMigration(schema),
    "003-row-level-security": rowLevelSecurityMigration(schema),
  };
}

export const MIGRATION_TABLE = "migrations";

/** Names in order, for the check at start. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(migrationsFor("hango"));

function migratorOver(connection: SqlConnection, schema: string): Migrator {
  return new Migrator({
    db: kyselyOver(connection),
    provider: { getMigrations: async () => migrationsFor(schema) },
    migrationTableSchema: schema,
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
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

/** Runs what is missing, in one transaction; safe beside other migrators. Answers the names that ran. */
export async function runUp(connection: SqlConnection, schema: string): Promise<readonly string[]> {
  return appliedNames(await migratorOver(connection, schema).migrateToLatest());
}

/** Undoes the newest one. Answers its name, or nothing when there is none. */
export async function runDown(connection: SqlConnection, schema: string): Promise<readonly string[]> {
  return appliedNames(await migratorOver(connection, schema).migrateDown());
}

export async function listMigrations(connection: SqlConnection, schema: string): Promise<readonly MigrationInfo[]> {
  return migratorOver(connection, schema).getMigrations();
}
