/** The driver over PGlite in a worker thread: one run at a time, each under a deadline, the thread ended when one is late. */
import { HangoError, isHangoError } from "../../../errors.ts";
import { fromSqlError } from "../errors.ts";
import type { SqlConnection } from "../sql-connection.ts";
import { type DataDirectory, openDataDirectory } from "./data-directory.ts";
import { RUN_DEADLINE_MS, withDeadline } from "./deadline.ts";
import type { Capabilities, Driver, RunOptions, Statement } from "./driver.ts";
import { ownBytes } from "./pglite-protocol.ts";
import { type OkAnswer, type PgliteThread, type RequestBody, startPgliteThread } from "./pglite-thread.ts";
import { createTurns } from "./turns.ts";
import { checkStatements } from "./values.ts";

/** A cold create costs seconds of CPU on a slow machine. */
const OPEN_DEADLINE_MS = 180_000;

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
  let current: PgliteThread | undefined;
  let closed: Promise<void> | undefined;

  async function openThread(): Promise<PgliteThread> {
    if (current !== undefined && !current.broken()) return current;
    await current?.end();
    const seedFile = directory.prepare();
    const { thread, opened } = startPgliteThread({ directory: directory.path, ...(seedFile === undefined ? {} : { seedFile }) });
    current = thread;
    try {
      await withDeadline(opened, { deadlineMs: OPEN_DEADLINE_MS, onLate: () => new HangoError("unavailable", "The database took too long to open.") });
    } catch (error) {
      await thread.end();
      throw openFailure(error, directory);
    }
    return thread;
  }

  /** An abort answers at once; the turn lasts until the thread is done or late, since it can do nothing else meanwhile. */
  async function ask(body: RequestBody, options: AskOptions = {}): Promise<OkAnswer> {
    const giveOn = await turns.take(options.signal);
    const work = askNow(body, options).finally(giveOn);
    return withDeadline(work, { deadlineMs: OPEN_DEADLINE_MS + RUN_DEADLINE_MS, onLate: () => lateRun(undefined), signal: options.signal });
  }

  async function askNow(body: RequestBody, { timeoutMs, transfer }: AskOptions): Promise<OkAnswer> {
    directory.check();
    // The engine does not survive a disk that fills under it: it answers no more, and can't be opened again until there is room.
    if (body.kind === "run" && body.statements.some(({ text }) => isChange(text)) && directory.isFull())
      throw new HangoError("unavailable", "The disk of the database is full; nothing was changed. Make room, then retry.");
    const thread = await openThread();
    let late = false;
    const onLate = (): HangoError => {
      late = true;
      return lateRun(timeoutMs);
    };
    try {
      return await withDeadline(thread.ask(body, transfer), { deadlineMs: timeoutMs ?? RUN_DEADLINE_MS, onLate });
    } finally {
      if (late) await thread.end();
    }
  }

  async function closeNow(): Promise<void> {
    const giveOn = await turns.take();
    try {
      if (current !== undefined && !current.broken())
        await withDeadline(current.ask({ kind: "close" }), { deadlineMs: RUN_DEADLINE_MS, onLate: () => lateRun(undefined) });
    } finally {
      await current?.end();
      directory.release();
      giveOn();
    }
  }

  async function run(statements: readonly Statement[], options: RunOptions): ReturnType<Driver["run"]> {
    options.signal?.throwIfAborted();
    if (closed !== undefined) throw new HangoError("unavailable", "The database was closed; open it again.");
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
    driver: (schema, capabilities) => ({ schema, capabilities, run, close }),
    close,
  };
}

function lateRun(timeoutMs: number | undefined): HangoError {
  const text = `The call ran over its ${timeoutMs ?? RUN_DEADLINE_MS} ms and was ended.`;
  return new HangoError("timeout", timeoutMs === undefined ? `${text} Re-read before you retry.` : text);
}

function openFailure(error: unknown, { path, isFull }: DataDirectory): HangoError {
  if (isHangoError(error)) return error;
  if ((error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND")
    return new HangoError("unsupported", "pglite: needs the package @electric-sql/pglite. Run: npm install @electric-sql/pglite@0.5.14", { cause: error });
  if (isFull())
    return new HangoError("unavailable", `${path} can't be opened: its disk is full. Make room, then retry; what was acknowledged is still there.`, {
      cause: error,
    });
  return new HangoError(
    "unavailable",
    `${path} can't be opened: the database in it is damaged or not whole. Restore it from a backup, or give a new directory.`,
    {
      cause: error,
    },
  );
}
