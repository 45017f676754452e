/** The two engines of a run: each with the library's database, and a way to send bare statements over the same kind of connection. */
import { createHash } from "node:crypto";
import pg from "pg";
import { startPostgres } from "../../../../test/support/postgres-server.ts";
import type { Namespace } from "../../../hango/src/storage.ts";
import { type Database, driverOf, openDatabase } from "../../../hango/src/storages/postgres/database.ts";
import { outliveLostConnections, type Pool } from "../../../hango/src/storages/postgres/driver/pg-pool.ts";
import type { Row, SqlValue } from "../../../hango/src/storages/postgres/driver/driver.ts";

export type EngineName = "postgres" | "pglite";

/** Sends one statement by itself. */
export type Ask = (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>;

export interface Engine {
  readonly database: Database;
  readonly ask: Ask;
  readonly version: string;
  readonly close: () => Promise<void>;
}

/** Whether Postgres waits for the disk at each commit, as it does by default. PGlite never does. */
export type Fsync = "on" | "off";

export async function openEngine(name: EngineName, namespace: Namespace, fsync: Fsync): Promise<Engine> {
  return name === "postgres" ? openPostgresEngine(fsync) : openPgliteEngine(namespace);
}

/** A server of its own, and a pool of named statements as an application would use it. */
async function openPostgresEngine(fsync: Fsync): Promise<Engine> {
  const server = await startPostgres({ fsync });
  const database = await openDatabase(server.url, { migrate: true, rowLevelSecurity: false });
  const pool = new pg.Pool({ connectionString: server.url });
  // `end` resolves before the sockets are closed, and the server then ends them with an error.
  outliveLostConnections(pool as unknown as Pool);
  const names = new Map<string, string>();
  const ask: Ask = async (text, values) => {
    const name = names.get(text) ?? createHash("sha256").update(text).digest("hex").slice(0, 24);
    names.set(text, name);
    return (await pool.query<Row>({ name, text, values: [...values] })).rows;
  };
  return {
    database,
    ask,
    version: await versionOf(ask),
    close: async () => {
      await pool.end();
      await database.close();
      await server.stop();
    },
  };
}

/** The directory has one thread, so the bare statements go to it by the library's driver: what differs is the statements and what stands above the driver. */
async function openPgliteEngine(namespace: Namespace): Promise<Engine> {
  const database = await openDatabase("pglite:");
  const driver = driverOf(database);
  const ask: Ask = async (text, values) => (await driver.run([{ text, values }], { namespace })).rows[0] ?? [];
  return { database, ask, version: await versionOf(ask), close: () => database.close() };
}

async function versionOf(ask: Ask): Promise<string> {
  const [row] = await ask("select version() as version, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit", []);
  const version = String(row?.["version"]).split(" ").slice(0, 2).join(" ");
  return `${version}, fsync ${String(row?.["fsync"])}, synchronous_commit ${String(row?.["commit"])}`;
}
