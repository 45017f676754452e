/** A transaction step by step on PGlite's one connection. Whatever fails, and a caller who is gone too long, ends it. */
import { HangoError } from "../../../errors.ts";
import { fromSqlError } from "../errors.ts";
import { IDLE_DEADLINE_MS } from "./deadline.ts";
import type { BeginOptions, Row, Statement, Transaction } from "./driver.ts";
import { ownBytes } from "./pglite-protocol.ts";
import type { OkAnswer, RequestBody } from "./pglite-thread.ts";
import { checkStatements } from "./values.ts";

export interface Turn {
  readonly ask: (body: RequestBody, transfer: readonly ArrayBuffer[]) => Promise<OkAnswer>;
  /** Gives the turn on; more than once is once. */
  readonly leave: () => void;
}

const plain = (text: string): Statement => ({ text, values: [] });

/** Errors: the engine's own, for BEGIN. */
export async function beginOnThread({ ask, leave }: Turn, options: BeginOptions): Promise<Transaction> {
  let isOpen = true;
  let idle: NodeJS.Timeout | undefined;

  const step = async (statements: readonly Statement[]): Promise<OkAnswer> => {
    const own = ownBytes(statements);
    return ask({ kind: "step", statements: own.statements }, own.transfer);
  };

  async function end(text: "commit" | "rollback"): Promise<void> {
    isOpen = false;
    clearTimeout(idle);
    try {
      await step([plain(text)]);
    } finally {
      leave();
    }
  }

  function waitForCaller(): void {
    idle = setTimeout(() => void rollback(), IDLE_DEADLINE_MS).unref();
  }

  await step([plain(options.snapshot === true ? "begin isolation level repeatable read read only" : "begin")]);
  for (const [name, value] of Object.entries(options.settings ?? {})) await step([{ text: "select set_config($1, $2, true)", values: [name, value] }]);
  waitForCaller();

  async function rollback(): Promise<void> {
    // A thread that can't be asked is gone, and the transaction with it.
    if (isOpen) await end("rollback").catch(() => undefined);
  }

  async function run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    if (!isOpen) throw new HangoError("unavailable", "The transaction has ended; nothing of it was kept.");
    clearTimeout(idle);
    try {
      options.signal?.throwIfAborted();
      checkStatements(statements);
      const { rows } = await step(statements);
      waitForCaller();
      return rows;
    } catch (error) {
      await rollback();
      options.signal?.throwIfAborted();
      throw fromSqlError(error);
    }
  }

  async function commit(): Promise<void> {
    if (!isOpen) throw new HangoError("unavailable", "The transaction has ended; nothing of it was kept.");
    try {
      await end("commit");
    } catch (error) {
      throw fromSqlError(error);
    }
  }

  return { run, commit, rollback };
}
