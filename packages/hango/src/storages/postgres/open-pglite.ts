/** Opens a database in PGlite: a directory, a lock, a worker thread, and the migrations that the seed does not have yet. */
import { HangoError } from "../../errors.ts";
import { type DatabaseOptions, refuseConnectionOptions } from "./database-options.ts";
import { type DatabaseTarget, migrateCommand } from "./database-url.ts";
import type { Driver } from "./driver/driver.ts";
import { openPglite } from "./driver/pglite.ts";
import { readServerFacts } from "./driver/server-facts.ts";
import { fromSqlError } from "./errors.ts";
import { MIGRATION_NAMES, MIGRATION_TABLE, runUp } from "./migrations/run.ts";
import { NAMESPACE_TABLES } from "./migrations/tables.ts";
import { openServerTables } from "./open-server-tables.ts";

/** Row-level security is off here: the one role is the process itself. */
export async function openPgliteDatabase(target: DatabaseTarget & { kind: "pglite" }, schema: string, options: DatabaseOptions): Promise<Driver> {
  refuseConnectionOptions(options);
  if (options.rowLevelSecurity === true)
    throw new HangoError("unsupported", "rowLevelSecurity: true needs postgres:// and an ordinary role; PGlite's only role is a superuser.");
  const engine = await openPglite(target.path);
  try {
    const read = () => readServerFacts(engine.connection, schema, { tables: NAMESPACE_TABLES, migrationTable: MIGRATION_TABLE });
    let facts = await read();
    const isMissing = (name: string): boolean => facts.migrations?.includes(name) !== true;
    if (MIGRATION_NAMES.some(isMissing) && options.migrate !== false) {
      await runUp(engine.connection, schema);
      facts = await read();
    }
    if (MIGRATION_NAMES.some(isMissing)) throw new HangoError("unavailable", `The database is not migrated. Run: ${migrateCommand(target, schema)}`);
    if (options.server === true) await openServerTables(engine.connection, { schema, target, migrate: options.migrate !== false });
    return engine.driver(schema, {
      engine: "pglite",
      serverVersion: facts.version,
      regex: true,
      treeLock: "none",
      statementTimeout: false,
      temporaryTables: true,
      manyConnections: false,
    });
  } catch (error) {
    await engine.close();
    throw fromSqlError(error);
  }
}
