/** kysely over one connection of either engine, for the migrator only. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { HangoError } from "../../../errors.ts";
import type { SqlValue } from "../driver/driver.ts";
import type { SqlConnection } from "../sql-connection.ts";

function connectionOver(connection: SqlConnection): DatabaseConnection {
  return {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const result = await connection.query(query.sql, query.parameters as readonly SqlValue[]);
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.affected) };
    },
    streamQuery: () => {
      throw new HangoError("unsupported", "Migrations don't stream.");
    },
  };
}

/** Waiters take the one connection in turn. */
function driverOver(connection: SqlConnection): Driver {
  const only = connectionOver(connection);
  let last: Promise<void> = Promise.resolve();
  let release: () => void = () => undefined;
  const run = async (text: string): Promise<void> => void (await connection.query(text));
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const before = last;
      let done: () => void = () => undefined;
      last = new Promise((resolve) => (done = resolve));
      await before;
      release = done;
      return only;
    },
    releaseConnection: async () => release(),
    beginTransaction: () => run("begin"),
    commitTransaction: () => run("commit"),
    rollbackTransaction: () => run("rollback"),
    destroy: async () => undefined,
  };
}

/** A Kysely whose every query runs on that connection. */
export function kyselyOver(connection: SqlConnection): Kysely<unknown> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOver(connection),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely<unknown>({ dialect });
}
