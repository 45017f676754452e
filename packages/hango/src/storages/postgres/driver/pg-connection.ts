/** One connection of a pool as a SqlConnection, for the migrator and the checks at start. */
import type { SqlConnection } from "../sql-connection.ts";
import { acquire, CONNECT_TIMEOUT_MS, type Pool } from "./pg-pool.ts";

/** Errors: those of `use`; the connection goes back to the pool, or away when something failed. */
export async function withPgConnection<T>(pool: Pool, use: (connection: SqlConnection) => Promise<T>): Promise<T> {
  const client = await acquire(pool, { waitMs: CONNECT_TIMEOUT_MS });
  // A socket that dies is an event without a listener, which ends the process; the query in flight rejects as well.
  const onError = (): void => undefined;
  client.on("error", onError);
  let ok = false;
  try {
    const result = await use({
      query: async (text, values = []) => {
        const answer = await client.query(values.length === 0 ? { text } : { text, values });
        return { rows: answer.rows, affected: answer.rowCount ?? 0 };
      },
    });
    ok = true;
    return result;
  } finally {
    if (ok) client.removeListener("error", onError);
    // A query that is still in flight would keep the connection, and so the pool, from ending.
    else client.connection?.stream.destroy();
    client.release(!ok);
  }
}
