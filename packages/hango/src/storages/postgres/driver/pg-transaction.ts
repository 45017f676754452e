/** A transaction step by step over `pg`: the connection is its own until it ends, and goes back only when it ended well. */
import { HangoError } from "../../../errors.ts";
import { fromSqlError } from "../errors.ts";
import { IDLE_DEADLINE_MS, RUN_DEADLINE_MS, withDeadline } from "./deadline.ts";
import type { Row, Statement, Transaction } from "./driver.ts";
import { discardClient } from "./pg-cancel.ts";
import { ConnectFailure, late } from "./pg-failure.ts";
import { acquire, type Pool } from "./pg-pool.ts";
import { BEGIN, type Query, type QueryMaker, RolledBackError, settingsStatement, settleAll } from "./pg-run.ts";
import { checkStatements } from "./values.ts";

const BEGIN_SNAPSHOT = "begin isolation level repeatable read read only";

export interface BeginOnOptions {
  readonly settings: ReadonlyMap<string, string>;
  readonly snapshot: boolean;
  readonly signal: AbortSignal | undefined;
  readonly makeQuery: QueryMaker;
}

/** Errors: unavailable without a connection; an abort rethrows its reason. */
export async function beginOn(pool: Pool, options: BeginOnOptions): Promise<Transaction & { readonly ended: Promise<void> }> {
  const { signal, makeQuery } = options;
  const client = await acquire(pool, { signal }).catch((error: unknown) => {
    throw signal?.aborted === true ? error : new ConnectFailure(error).shown;
  });
  // A socket that dies is an event without a listener, which ends the process; the queries reject as well.
  const onError = (): void => undefined;
  client.on("error", onError);
  let isOpen = true;
  let tellEnd: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (tellEnd = resolve));

  function leave(keep: boolean, stillRunning: boolean): void {
    isOpen = false;
    if (keep) {
      client.removeListener("error", onError);
      client.release();
      tellEnd();
    } else void discardClient(pool, client, stillRunning).finally(tellEnd);
  }

  /** Whatever fails takes the connection with it, and so the transaction. */
  async function send(queries: readonly Query[]): Promise<readonly { readonly command: string; readonly rows: readonly Row[] }[]> {
    if (!isOpen) throw new HangoError("unavailable", "The transaction has ended; nothing of it was kept.");
    let stillRunning = true;
    try {
      const work = settleAll(client, queries).finally(() => (stillRunning = false));
      const settled = await withDeadline(work, { deadlineMs: RUN_DEADLINE_MS, onLate: () => late(undefined), signal });
      return settled.map((result) => {
        if (result.status === "rejected") throw result.reason;
        return result.value;
      });
    } catch (error) {
      leave(false, stillRunning);
      signal?.throwIfAborted();
      throw fromSqlError(error);
    }
  }

  const settings = new Map([...options.settings, ["idle_in_transaction_session_timeout", String(IDLE_DEADLINE_MS)]]);
  await send([{ text: options.snapshot ? BEGIN_SNAPSHOT : BEGIN }, makeQuery(settingsStatement(settings))]);

  async function run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    checkStatements(statements);
    return (await send(statements.map(makeQuery))).map(({ rows }) => rows);
  }

  async function commit(): Promise<void> {
    const [answer] = await send([{ text: "commit" }]);
    leave(answer?.command === "COMMIT", false);
    if (answer?.command !== "COMMIT") throw fromSqlError(new RolledBackError(`COMMIT answered ${answer?.command ?? "nothing"}`));
  }

  async function rollback(): Promise<void> {
    if (!isOpen) return;
    // One that can't be sent took the connection with it, which undoes the transaction as well.
    await send([{ text: "rollback" }]).then(
      () => leave(true, false),
      () => undefined,
    );
  }

  return { run, commit, rollback, ended };
}
