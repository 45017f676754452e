/** Opens a database over `pg`: the checks at start, and what row-level security the role allows. */
import { HangoError, isHangoError } from "../../errors.ts";
import type { DatabaseOptions } from "./database-options.ts";
import { type DatabaseTarget, migrateCommand, shownUrl } from "./database-url.ts";
import type { Capabilities, Driver } from "./driver/driver.ts";
import { withDeadline } from "./driver/deadline.ts";
import { createPgDriver } from "./driver/pg.ts";
import { withPgConnection } from "./driver/pg-connection.ts";
import { createPool, DEFAULT_MAX_CONNECTIONS, outliveLostConnections, parsePool } from "./driver/pg-pool.ts";
import { readServerFacts, type ServerFacts } from "./driver/server-facts.ts";
import { fromSqlError, isSqlError } from "./errors.ts";
import { MIGRATION_NAMES, MIGRATION_TABLE, runUp } from "./migrations/run.ts";
import { NAMESPACE_TABLES } from "./migrations/tables.ts";
import { openServerTables } from "./open-server-tables.ts";

const OLDEST_VERSION = 140000;
/** The questions at start wait for no lock that lasts. */
const FACTS_TIMEOUT_MS = 10_000;
const warned = new Set<string>();

export async function openPostgres(target: DatabaseTarget & { kind: "postgres" }, schema: string, options: DatabaseOptions): Promise<Driver> {
  const ownsPool = options.pool === undefined;
  if (!ownsPool && options.maxConnections !== undefined)
    throw new HangoError("invalid_argument", "options.maxConnections belongs to a pool of hango's own; give your pool a max.");
  const pool = ownsPool ? createPool(target.url, options.maxConnections ?? DEFAULT_MAX_CONNECTIONS) : parsePool(options.pool);
  const leavePool = ownsPool ? undefined : outliveLostConnections(pool);
  const close = async (): Promise<void> => {
    if (leavePool === undefined) await pool.end();
    else leavePool();
  };
  try {
    const facts = await withPgConnection(pool, async (connection) => {
      const read = (): Promise<ServerFacts> =>
        withDeadline(readServerFacts(connection, schema, { tables: NAMESPACE_TABLES, migrationTable: MIGRATION_TABLE }), {
          deadlineMs: FACTS_TIMEOUT_MS,
          onLate: () => new HangoError("unavailable", `${shownUrl(target)} took the connection and does not answer; retry in a moment.`),
        });
      checkServer(await read(), target);
      if (options.migrate === true) await runUp(connection, schema);
      const now = await read();
      checkMigrated(now, schema, target);
      if (options.server === true) await openServerTables(connection, { schema, target, migrate: options.migrate === true });
      return now;
    });
    return createPgDriver(pool, {
      schema,
      capabilities: capabilitiesOf(facts),
      preparedStatements: options.preparedStatements ?? true,
      bindNamespace: bindsNamespace(facts, { schema, target }, options.rowLevelSecurity ?? "auto"),
      unsettable: facts.setsTempFileLimit ? new Set() : new Set(["temp_file_limit"]),
      close,
    });
  } catch (error) {
    await close();
    throw shownError(error, target);
  }
}

function capabilitiesOf({ version, product, makesTemporaryTables }: ServerFacts): Capabilities {
  // By these engines' documentation: advisory locks do nothing there, and CockroachDB's regular expressions are another dialect.
  const distributed = /CockroachDB|-YB-|DSQL/.test(product);
  return {
    engine: "postgres",
    serverVersion: version,
    regex: !product.includes("CockroachDB"),
    treeLock: distributed ? "row" : "advisory",
    statementTimeout: true,
    temporaryTables: makesTemporaryTables && !distributed,
    manyConnections: true,
  };
}

function checkServer(facts: ServerFacts, target: DatabaseTarget): void {
  if (facts.version < OLDEST_VERSION)
    throw new HangoError("unsupported", `${shownUrl(target)} runs PostgreSQL ${Math.floor(facts.version / 10000)}; hango needs 14 or newer.`);
  if (facts.encoding !== "UTF8") throw new HangoError("unsupported", `${shownUrl(target)} has the encoding ${facts.encoding}; hango needs UTF8.`);
  checkSettings(facts, target);
  if (facts.synchronousCommit === "off")
    warnOnce("HANGO_ASYNC_COMMIT", `${shownUrl(target)} has synchronous_commit = off: a crash of the server loses writes that were acknowledged.`);
}

/** Errors: unsupported, with the command: times would be lost, commits fail, or every call of an ordinary role be refused. */
function checkSettings({ settings, role, passesPolicies }: ServerFacts, target: DatabaseTarget): void {
  const needed = { datestyle: "ISO", array_nulls: "on", ...(passesPolicies ? {} : { row_security: "on" }) };
  for (const [name, wanted] of Object.entries(needed)) {
    const found = settings[name as keyof typeof settings];
    if (found !== wanted && !found.startsWith(`${wanted},`))
      throw new HangoError(
        "unsupported",
        `${shownUrl(target)} has ${name} = ${found}; hango needs ${wanted}. Run: alter role "${role.replaceAll('"', '""')}" set ${name} = '${wanted}', and open it again.`,
      );
  }
}

function checkMigrated(facts: ServerFacts, schema: string, target: DatabaseTarget): void {
  const missing = facts.migrations === undefined ? [] : MIGRATION_NAMES.filter((name) => !facts.migrations?.includes(name));
  if (missing.length === 0 && facts.tables === NAMESPACE_TABLES.length) return;
  throw new HangoError(
    "unavailable",
    `The database is not migrated${missing.length === 0 ? "" : ` (missing: ${missing.join(", ")})`}. Run: ${migrateCommand(target, schema)}`,
  );
}

/** Whether each run binds tenant and agent for the policies. Errors: unsupported, invalid_argument, when the option and the role contradict each other. */
function bindsNamespace(
  facts: ServerFacts,
  { schema, target }: { readonly schema: string; readonly target: DatabaseTarget },
  wanted: boolean | "auto",
): boolean {
  const makeRole = `Make one that owns nothing: ${migrateCommand(target, schema)} --app-role hango_app`;
  if (facts.passesPolicies) {
    if (wanted === true)
      throw new HangoError("unsupported", `rowLevelSecurity: true needs an ordinary role, and ${facts.role} is a superuser or has BYPASSRLS. ${makeRole}`);
    if (wanted === "auto")
      warnOnce(
        "HANGO_NO_ROW_LEVEL_SECURITY",
        `The role ${facts.role} is a superuser or has BYPASSRLS, so row-level security does not hold and only each statement's WHERE keeps tenants apart. ${makeRole}`,
      );
    return false;
  }
  if (wanted === false)
    throw new HangoError(
      "invalid_argument",
      `rowLevelSecurity: false needs a role with BYPASSRLS: the policies are forced, so ${facts.role} would see no rows. Leave the option out.`,
    );
  if (wanted === true && facts.forced < NAMESPACE_TABLES.length)
    throw new HangoError(
      "unsupported",
      `rowLevelSecurity: true needs forced policies on every table of hango, and some are missing. Run: ${migrateCommand(target, schema)}`,
    );
  return true;
}

function warnOnce(code: string, message: string): void {
  if (warned.has(code)) return;
  warned.add(code);
  process.emitWarning(message, { type: "HangoWarning", code });
}

function shownError(error: unknown, target: DatabaseTarget): HangoError {
  if (isHangoError(error)) return error;
  if (isSqlError(error)) return fromSqlError(error);
  return new HangoError("unavailable", `${shownUrl(target)} can't be reached; check that the server runs and the address is right.`, { cause: error });
}
