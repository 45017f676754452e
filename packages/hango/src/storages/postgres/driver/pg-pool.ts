/** Connections over `pg`: a pool of our own or the user's, taken with a bounded wait. */
import pg from "pg";
import { HangoError } from "../../../errors.ts";
import type { PoolFigures } from "./driver.ts";

/** How long a call waits for a connection before it answers `unavailable`. */
const ACQUIRE_TIMEOUT_MS = 2_000;
/** How long a new connection may take, and so the opening of a database: one that sleeps when idle needs some seconds to wake. */
export const CONNECT_TIMEOUT_MS = 10_000;
export const DEFAULT_MAX_CONNECTIONS = 10;
const IDLE_MS = 30_000;

/** What is used of a pool; the user's own may come from another copy of `pg`. */
export interface Pool {
  readonly options?: { readonly max?: number };
  readonly totalCount?: number;
  readonly idleCount?: number;
  readonly waitingCount?: number;
  readonly connect: () => Promise<PoolClient>;
  readonly end: () => Promise<void>;
  readonly on: PoolListening;
  readonly removeListener: PoolListening;
}

interface PoolListening {
  (event: "error", listener: (error: Error) => void): unknown;
  (event: "connect", listener: (client: PoolClient) => void): unknown;
}

export interface QueryConfig {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
  readonly types?: { readonly getTypeParser: (oid: number, format?: string) => (text: string) => unknown };
}

export interface QueryAnswer {
  readonly command: string;
  readonly rowCount?: number | null;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export interface PoolClient {
  /** True when queries of one tick leave together without awaiting each other. */
  readonly pipeline?: boolean;
  readonly processID?: number | null;
  readonly secretKey?: unknown;
  readonly connection?: { readonly stream: { readonly destroy: () => void } };
  readonly query: (config: QueryConfig) => Promise<QueryAnswer>;
  readonly release: (destroy?: boolean) => void;
  readonly on: (event: "error", listener: (error: Error) => void) => unknown;
  readonly removeListener: (event: "error", listener: (error: Error) => void) => unknown;
}

/** Opens a pool of our own: pipelined clients, which don't keep an idle process alive. */
export function createPool(url: string, maxConnections: number): Pool {
  const config = {
    connectionString: url,
    max: maxConnections,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
    keepAlive: true,
    fallback_application_name: "hango",
  };
  const pool = new pg.Pool(config) as unknown as Pool;
  // For good: `end` resolves before the last sockets are closed, and the server may end those with an error.
  outliveLostConnections(pool);
  return pool;
}

/**
 * A connection that the server ends is an event, and without a listener it ends the process. The pool hears it of idle ones; of a new one
 * nobody does yet when the server's farewell stands in the same packet as its welcome. Gives back what takes the listeners away.
 */
export function outliveLostConnections(pool: Pool): () => void {
  const ignore = (): void => undefined;
  const onConnect = (client: PoolClient): void => void client.on("error", ignore);
  pool.on("error", ignore);
  pool.on("connect", onConnect);
  return () => {
    pool.removeListener("error", ignore);
    pool.removeListener("connect", onConnect);
  };
}

/** Undefined for a pool that does not count. */
export function figuresOf({ options, totalCount, idleCount, waitingCount }: Pool): PoolFigures | undefined {
  if (totalCount === undefined || idleCount === undefined || waitingCount === undefined) return undefined;
  return { max: options?.max ?? DEFAULT_MAX_CONNECTIONS, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** Narrows the user's `pool` option. Errors: invalid_argument. */
export function parsePool(value: unknown): Pool {
  const pool = value as Partial<Pool> | null;
  if (typeof pool === "object" && typeof pool?.connect === "function" && typeof pool.on === "function") return pool as Pool;
  throw new HangoError("invalid_argument", "options.pool must be a Pool of the pg package (new pg.Pool({ …, pipeline: true })).");
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Units: milliseconds; 2 s unless said. */
  readonly waitMs?: number;
}

/**
 * Takes a connection. One that arrives after the wait is over goes straight back.
 * Errors: unavailable after the wait; a foreign error when no connection can be made; an abort rethrows its reason.
 */
export function acquire(pool: Pool, { signal, waitMs = ACQUIRE_TIMEOUT_MS }: AcquireOptions = {}): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let over = false;
    const finish = (settle: () => void): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const abort = (): void => finish(() => reject(signal?.reason));
    const timer = setTimeout(() => finish(() => reject(notInTime(pool, waitMs))), waitMs);
    signal?.addEventListener("abort", abort, { once: true });
    pool.connect().then(
      (client) => (over ? client.release() : finish(() => resolve(client))),
      (error: unknown) => finish(() => reject(isPoolTimeout(error) ? notInTime(pool, waitMs, error) : error)),
    );
  });
}

function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message) && !("code" in error);
}

/** Which of the two it was decides what helps: a larger pool, or a server that answers. */
function notInTime(pool: Pool, waitMs: number, cause?: unknown): HangoError {
  const figures = figuresOf(pool);
  const seconds = waitMs / 1000;
  const isFull = figures === undefined || figures.used >= figures.max;
  const message = isFull
    ? `No connection to the database came free within ${seconds} s; retry in a moment, check that its server answers, or raise maxConnections.`
    : `The database gave no new connection within ${seconds} s; check that its server runs and can be reached, or retry in a moment.`;
  return new HangoError("unavailable", message, { cause });
}
