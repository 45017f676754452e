/** The driver over `pg`: bounded waits, bounded retries, and no connection kept that can't be vouched for. */
import { HangoError } from "../../../errors.ts";
import { dropsConnection, failureOf, fromSqlError, isSqlError, OUTCOME_UNKNOWN } from "../errors.ts";
import { RUN_DEADLINE_MS, withDeadline } from "./deadline.ts";
import type { Capabilities, Driver, Row, RunOptions } from "./driver.ts";
import { discardClient } from "./pg-cancel.ts";
import { ConnectFailure, late } from "./pg-failure.ts";
import { acquire, DEFAULT_MAX_CONNECTIONS, figuresOf, type Pool } from "./pg-pool.ts";
import { createQueryMaker, NotEndedError, type Plan, runPlan } from "./pg-run.ts";
import { beginOn } from "./pg-transaction.ts";
import { createShare } from "./share.ts";
import { checkStatements } from "./values.ts";

const MAX_ATTEMPTS = 3;
const BACKOFF_MS = [50, 300];
/** The server's own timeout comes first; the client's only speaks when the server does not. */
const DEADLINE_GRACE_MS = 1_000;
const GREP_SHARE = 0.2;
const MAX_WAITING_GREPS = 64;
const MAX_GREP_WAIT_MS = 10_000;

export interface PgDriverOptions {
  readonly schema: string;
  readonly capabilities: Capabilities;
  readonly preparedStatements: boolean;
  /** Bind tenant and agent in every run, for the row-level security policies. */
  readonly bindNamespace: boolean;
  /** Settings that the role may not set (superuser's parameters); left out of a run's `settings`. */
  readonly unsettable: ReadonlySet<string>;
  /** Ends the pool, unless it is the user's. */
  readonly close: () => Promise<void>;
}

export function createPgDriver(pool: Pool, options: PgDriverOptions): Driver {
  const makeQuery = createQueryMaker(options.preparedStatements);
  const limit = Math.max(1, Math.floor((pool.options?.max ?? DEFAULT_MAX_CONNECTIONS) * GREP_SHARE));
  const share = createShare({ limit, perTenant: Math.max(1, limit >> 1), maxWaiting: MAX_WAITING_GREPS, maxWaitMs: MAX_GREP_WAIT_MS });
  const inFlight = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  function settingsFor(run: Pick<RunOptions, "namespace" | "settings" | "timeoutMs">): ReadonlyMap<string, string> {
    const settings = new Map<string, string>();
    if (options.bindNamespace) settings.set("hango.tenant_id", run.namespace.tenantId).set("hango.agent_id", run.namespace.agentId);
    if (run.timeoutMs !== undefined) settings.set("statement_timeout", String(Math.max(1, Math.ceil(run.timeoutMs))));
    for (const [name, value] of Object.entries(run.settings ?? {})) if (!options.unsettable.has(name)) settings.set(name, value);
    return settings;
  }

  async function attempts(plan: Plan, run: RunOptions): Promise<{ rows: readonly (readonly Row[])[]; attempts: number }> {
    let lostAttempts = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        return { rows: await oneAttempt(plan, run), attempts: 1 + lostAttempts };
      } catch (error) {
        run.signal?.throwIfAborted();
        const failure = error instanceof ConnectFailure ? error.failure : failureOf(error);
        if (failure === "unknown") lostAttempts += 1;
        if (failure === "final" || attempt === MAX_ATTEMPTS) throw shownFailure(error, lostAttempts);
        await pause((BACKOFF_MS[attempt - 1] ?? 0) * (0.5 + Math.random() / 2));
        run.signal?.throwIfAborted();
      }
    }
  }

  async function oneAttempt(plan: Plan, run: RunOptions): Promise<readonly (readonly Row[])[]> {
    const client = await acquire(pool, { signal: run.signal }).catch((error: unknown) => {
      throw run.signal?.aborted === true ? error : new ConnectFailure(error);
    });
    // A socket that dies between two messages is an event without a listener, which ends the process; the queries reject as well.
    const onError = (): void => undefined;
    client.on("error", onError);
    let keep = false;
    let stillRunning = true;
    try {
      const work = runPlan(client, plan, makeQuery).finally(() => (stillRunning = false));
      const deadlineMs = run.timeoutMs === undefined ? RUN_DEADLINE_MS : run.timeoutMs + DEADLINE_GRACE_MS;
      const rows = await withDeadline(work, { deadlineMs, onLate: () => late(run.timeoutMs), signal: run.signal });
      keep = true;
      return rows;
    } catch (error) {
      if (error instanceof NotEndedError) throw error.cause;
      // A caller may abort with any reason, also with an error of some server: the connection is in use until the run has ended.
      keep = !stillRunning && isSqlError(error) && !dropsConnection(error);
      throw error;
    } finally {
      if (keep) client.removeListener("error", onError);
      if (keep) client.release();
      else void discardClient(pool, client, stillRunning);
    }
  }

  async function inShare<T>(run: RunOptions, work: () => Promise<T>): Promise<T> {
    const leave = run.share === "grep" ? await share.enter(run.namespace.tenantId, run.signal) : undefined;
    try {
      return await work();
    } finally {
      leave?.();
    }
  }

  function checkOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (closed !== undefined) throw new HangoError("unavailable", "The database was closed; open it again.");
  }

  return {
    schema: options.schema,
    capabilities: options.capabilities,
    pool: () => figuresOf(pool),
    run: async (statements, run) => {
      checkOpen(run.signal);
      checkStatements(statements);
      const work = inShare(run, () => attempts({ statements, settings: settingsFor(run) }, run));
      inFlight.add(work);
      return work.finally(() => inFlight.delete(work));
    },
    begin: async (begin) => {
      checkOpen(begin.signal);
      const transaction = await beginOn(pool, { settings: settingsFor(begin), snapshot: begin.snapshot === true, signal: begin.signal, makeQuery });
      inFlight.add(transaction.ended);
      void transaction.ended.then(() => inFlight.delete(transaction.ended));
      return transaction;
    },
    // A pool that is ending gives no connection to those that wait for one, so it ends after them.
    close: () => (closed ??= Promise.allSettled(inFlight).then(options.close)),
  };
}

/** A later attempt that finds no connection does not make an earlier one's outcome known. */
function shownFailure(error: unknown, lostAttempts: number): HangoError {
  if (!(error instanceof ConnectFailure)) return fromSqlError(error);
  if (lostAttempts === 0) return error.shown;
  return new HangoError("unavailable", OUTCOME_UNKNOWN, { cause: error.cause });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
