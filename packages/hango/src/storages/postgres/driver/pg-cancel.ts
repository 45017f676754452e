/** Stops a query that nobody waits for any more, best effort and bounded. */
import pg from "pg";
import type { Pool, PoolClient } from "./pg-pool.ts";

const CANCEL_TIMEOUT_MS = 1_000;

/** What is used of `pg`'s client to send a CancelRequest; its types leave this out. */
interface Canceller {
  readonly connection: { readonly stream: { readonly destroy: () => void }; readonly on: (event: string, listener: () => void) => unknown };
  readonly cancel: (target: { readonly activeQuery: unknown; readonly processID: unknown; readonly secretKey: unknown }, query: unknown) => void;
}

/**
 * Asks the server to cancel what the client's connection runs. The request may arrive late and hit whatever runs there
 * by then, so the connection must not be used again.
 */
function cancelQuery(pool: Pool, client: PoolClient): Promise<void> {
  if (typeof client.processID !== "number") return Promise.resolve();
  const canceller = new pg.Client(pool.options as pg.ClientConfig) as unknown as Canceller;
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      canceller.connection.stream.destroy();
      resolve();
    };
    const timer = setTimeout(finish, CANCEL_TIMEOUT_MS);
    // The server answers a cancel by closing; an error means that it can't be reached, and then nothing runs for us either.
    for (const event of ["end", "close", "error"]) canceller.connection.on(event, finish);
    const marker = {};
    canceller.cancel({ activeQuery: marker, processID: client.processID, secretKey: client.secretKey }, marker);
  });
}

/** Takes a connection out of the pool for good; what still runs on it is cancelled first. */
export async function discardClient(pool: Pool, client: PoolClient, stillRunning: boolean): Promise<void> {
  try {
    if (stillRunning) await cancelQuery(pool, client);
  } finally {
    client.connection?.stream.destroy();
    client.release(true);
  }
}
