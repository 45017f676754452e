/** Migrations as a command runs them: on a connection of their own, closed at the end. */
import { HangoError, isHangoError } from "../../errors.ts";
import { checkOptions, refuseConnectionOptions } from "./database-options.ts";
import { parseDatabaseUrl, parseSchema, shownUrl } from "./database-url.ts";
import { openPglite } from "./driver/pglite.ts";
import { withPgConnection } from "./driver/pg-connection.ts";
import { createPool, parsePool } from "./driver/pg-pool.ts";
import { fromSqlError, isSqlError } from "./errors.ts";
import { listMigrations, runDown, runUp, SERVER_MIGRATION_NAMES } from "./migrations/run.ts";
import type { SqlConnection } from "./sql-connection.ts";

export interface MigrateOptions {
  /** Default "hango". */
  readonly schema?: string;
  /** A pg.Pool of yours, which you end yourself. */
  readonly pool?: unknown;
}

const optionNames: readonly (keyof MigrateOptions)[] = ["schema", "pool"];

export interface MigrationState {
  readonly name: string;
  /** Absent: not run yet. */
  readonly ranAt?: Date;
  /** Only a server needs it: tenants, agents, sessions and keys. */
  readonly server?: true;
}

export interface MigrateUpOptions extends MigrateOptions {
  /** Also the tables of a server, which a library that keeps tenants and agents elsewhere never needs. Default false. */
  readonly server?: boolean;
}

/** Runs every missing migration, all or nothing (the server's after the others); safe beside other migrators. Answers the names that ran. */
export async function migrateUp(url: string, options: MigrateUpOptions = {}): Promise<readonly string[]> {
  checkOptions("migrateUp", options, [...optionNames, "server"]);
  const { server = false } = options;
  if (typeof server !== "boolean") throw new HangoError("invalid_argument", "options.server must be true or false.");
  return onConnection(url, options, (connection, schema) => runUp(connection, schema, { server }));
}

/** Undoes the newest migrations, one step each, newest first; the data in their tables is gone. Answers the names that were undone. */
export async function migrateDown(url: string, options: MigrateOptions & { readonly steps?: number } = {}): Promise<readonly string[]> {
  checkOptions("migrateDown", options, [...optionNames, "steps"]);
  const { steps = 1 } = options;
  if (!Number.isSafeInteger(steps) || steps < 1) throw new HangoError("invalid_argument", `options.steps is ${steps}; it must be a whole number from 1.`);
  return onConnection(url, options, async (connection, schema) => {
    const undone: string[] = [];
    for (let step = 0; step < steps; step++) undone.push(...(await runDown(connection, schema)));
    return undone;
  });
}

/** Every migration of this version of hango, in order, those of a server last. */
export async function migrationStatus(url: string, options: MigrateOptions = {}): Promise<readonly MigrationState[]> {
  checkOptions("migrationStatus", options, optionNames);
  return onConnection(url, options, async (connection, schema) => {
    const rows = await listMigrations(connection, schema);
    return rows.map(({ name, executedAt }) => ({
      name,
      ...(executedAt === undefined ? {} : { ranAt: executedAt }),
      ...(SERVER_MIGRATION_NAMES.includes(name) ? { server: true as const } : {}),
    }));
  });
}

/** Opens a connection for one purpose, and closes it. Errors: unavailable when it can't be reached. */
export async function onConnection<T>(url: string, options: MigrateOptions, use: (connection: SqlConnection, schema: string) => Promise<T>): Promise<T> {
  const target = parseDatabaseUrl(url);
  const schema = parseSchema(options.schema);
  if (target.kind === "pglite") {
    refuseConnectionOptions(options);
    const engine = await openPglite(target.path);
    try {
      return await use(engine.connection, schema);
    } finally {
      await engine.close();
    }
  }
  const pool = options.pool === undefined ? createPool(target.url, 1) : parsePool(options.pool);
  try {
    return await withPgConnection(pool, (connection) => use(connection, schema));
  } catch (error) {
    if (isHangoError(error)) throw error;
    if (isSqlError(error)) throw fromSqlError(error);
    throw new HangoError("unavailable", `${shownUrl(target)} can't be reached; check that the server runs and the address is right.`, { cause: error });
  } finally {
    if (options.pool === undefined) await pool.end();
  }
}
