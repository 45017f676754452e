/** The one way to open a database, whatever is behind it. */
import { HangoError } from "../../errors.ts";
import { checkDatabaseOptions, type DatabaseOptions } from "./database-options.ts";
import { parseDatabaseUrl, parseSchema } from "./database-url.ts";
import type { Driver, PoolFigures } from "./driver/driver.ts";
import { openPgliteDatabase } from "./open-pglite.ts";
import { openPostgres } from "./open-postgres.ts";

/** An open database. */
export interface Database {
  /** Waits for every statement in flight or waiting for its turn; a call that would need one more answers unavailable. A temporary directory is removed. */
  readonly close: () => Promise<void>;
}

const driverKey: symbol = Symbol.for("hango.Database");

/**
 * Opens "postgres://…", "pglite:./directory" or "pglite:" (a temporary directory, removed on close).
 * Errors: invalid_argument; unavailable when it can't be reached, is not migrated, or another process has the directory; unsupported.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const target = parseDatabaseUrl(url);
  checkDatabaseOptions(options);
  const schema = parseSchema(options.schema);
  const driver = target.kind === "postgres" ? await openPostgres(target, schema, options) : await openPgliteDatabase(target, schema, options);
  return databaseOver(driver);
}

/** A Database over a driver; also for tests that wrap one. */
export function databaseOver(driver: Driver): Database {
  const database: Database = { close: () => driver.close() };
  Object.defineProperty(database, driverKey, { value: driver });
  return database;
}

/** The connections at this moment. Undefined where there is no pool (PGlite), or the user's own does not count. Errors: invalid_argument. */
export function databasePool(database: Database): PoolFigures | undefined {
  return driverOf(database).pool?.();
}

/** Errors: invalid_argument when it is not what openDatabase returned. */
export function driverOf(database: Database): Driver {
  const driver = typeof database === "object" && database !== null ? (database as unknown as Record<symbol, Driver | undefined>)[driverKey] : undefined;
  if (driver === undefined) throw new HangoError("invalid_argument", "This takes what openDatabase returned.");
  return driver;
}
