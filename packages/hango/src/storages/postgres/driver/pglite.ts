/** The driver over PGlite in a worker thread: one run at a time, each under a deadline, the thread ended when one is late. */
import { HangoError } from "../../../errors.ts";
import { fromSqlError } from "../errors.ts";
import type { SqlConnection } from "../sql-connection.ts";
import { type DataDirectory, openDataDirectory } from "./data-directory.ts";
import { RUN_DEADLINE_MS, withDeadline } from "./deadline.ts";
import type { BeginOptions, Capabilities, Driver, RunOptions, Statement, Transaction } from "./driver.ts";
import { ownBytes } from "./pglite-protocol.ts";
import { beginOnThread } from "./pglite-transaction.ts";
import { keepPgliteThread, OPEN_DEADLINE_MS } from "./pglite-keeper.ts";
import type { OkAnswer, RequestBody } from "./pglite-thread.ts";
import { createTurns } from "./turns.ts";
import { checkStatements } from "./values.ts";

/** True for the text of a statement that changes something; values never stand in it. */
export function isChange(text: string): boolean {
  return /\b(?:insert|update|delete)\b/i.test(text);
}

export interface PgliteEngine {
  /** For the migrator and the checks at start, before the driver is used. */
  readonly connection: SqlConnection;
  readonly driver: (schema: string, capabilities: Capabilities) => Driver;
  /** Waits for what is in flight, then closes the database and gives the directory back. */
  readonly close: () => Promise<void>;
}

interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly transfer?: readonly ArrayBuffer[];
}

/** Opens "" (a temporary directory) or a path. Errors: as openDataDirectory; unsupported when PGlite is not installed. */
export async function openPglite(path: string): Promise<PgliteEngine> {
  const directory = openDataDirectory(path);
  try {
    const engine = engineOver(directory);
    await engine.connection.query("select 1");
    directory.created();
    return engine;
  } catch (error) {
    directory.release();
    throw error;
  }
}

function engineOver(directory: DataDirectory): PgliteEngine {
  const turns = createTurns();
  const keeper = keepPgliteThread(directory);
  let closed: Promise<void> | undefined;

  /** An abort answers at once; the turn lasts until the thread is done or late, since it can do nothing else meanwhile. */
  async function ask(body: RequestBody, options: AskOptions = {}): Promise<OkAnswer> {
    const giveOn = await turns.take(options.signal);
    const { timeoutMs, signal } = options;
    const work = askNow(body, options).finally(giveOn);
    return withDeadline(work, { deadlineMs: OPEN_DEADLINE_MS + (timeoutMs ?? RUN_DEADLINE_MS), onLate: () => lateRun(timeoutMs), signal });
  }

  async function askNow(body: RequestBody, { timeoutMs, transfer }: AskOptions): Promise<OkAnswer> {
    directory.check();
    // The engine does not survive a disk that fills under it: it answers no more, and can't be opened again until there is room.
    if ((body.kind === "run" || body.kind === "step") && body.statements.some(({ text }) => isChange(text)) && directory.isFull())
      throw new HangoError("unavailable", "The disk of the database is full; nothing was changed. Make room, then retry.");
    const thread = await keeper.open();
    let late = false;
    const onLate = (): HangoError => {
      late = true;
      return lateRun(timeoutMs);
    };
    try {
      return await withDeadline(thread.ask(body, transfer), { deadlineMs: timeoutMs ?? RUN_DEADLINE_MS, onLate });
    } finally {
      if (late) keeper.replace(thread);
    }
  }

  async function closeNow(): Promise<void> {
    const giveOn = await turns.take();
    try {
      await keeper.close((thread) => withDeadline(thread.ask({ kind: "close" }), { deadlineMs: RUN_DEADLINE_MS, onLate: () => lateRun(undefined) }));
    } finally {
      directory.release();
      giveOn();
    }
  }

  function checkOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (closed !== undefined) throw new HangoError("unavailable", "The database was closed; open it again.");
  }

  /** The turn lasts as long as the transaction: the one connection would mix other callers' statements into it. */
  async function begin(options: BeginOptions): Promise<Transaction> {
    checkOpen(options.signal);
    const giveOn = await turns.take(options.signal);
    try {
      const thread = await keeper.open();
      const ask = async (body: RequestBody, transfer: readonly ArrayBuffer[]): Promise<OkAnswer> => {
        // A thread that was ended meanwhile took the transaction with it; the next one would run each statement by itself.
        if (thread.broken()) throw new HangoError("unavailable", "The database's thread ended inside the transaction; nothing of it was kept.");
        return askNow(body, { transfer });
      };
      return await beginOnThread({ ask, leave: giveOn }, options);
    } catch (error) {
      giveOn();
      throw fromSqlError(error);
    }
  }

  async function run(statements: readonly Statement[], options: RunOptions): ReturnType<Driver["run"]> {
    checkOpen(options.signal);
    checkStatements(statements);
    const own = ownBytes(statements);
    const body: RequestBody = { kind: "run", statements: own.statements, settings: Object.entries(options.settings ?? {}) };
    try {
      const answer = await ask(body, { signal: options.signal, timeoutMs: options.timeoutMs, transfer: own.transfer });
      return { rows: answer.rows, attempts: 1 };
    } catch (error) {
      options.signal?.throwIfAborted();
      throw fromSqlError(error);
    }
  }

  const close = (): Promise<void> => (closed ??= closeNow());
  return {
    connection: {
      query: async (text, values = []) => {
        const answer = await ask({ kind: "query", text, values });
        return { rows: answer.rows[0] ?? [], affected: answer.affected };
      },
    },
    driver: (schema, capabilities) => ({ schema, capabilities, run, begin, close }),
    close,
  };
}

function lateRun(timeoutMs: number | undefined): HangoError {
  const text = `The call ran over its ${timeoutMs ?? RUN_DEADLINE_MS} ms and was ended.`;
  return new HangoError("timeout", timeoutMs === undefined ? `${text} Re-read before you retry.` : text);
}
