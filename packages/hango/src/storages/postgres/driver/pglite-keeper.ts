/** Keeps one open PGlite thread over a directory: opens it when it is asked for, and the next one as soon as one had to be ended. */
import { HangoError, isHangoError } from "../../../errors.ts";
import type { DataDirectory } from "./data-directory.ts";
import { withDeadline } from "./deadline.ts";
import { pgliteModule } from "./pglite-module.ts";
import { type PgliteThread, startPgliteThread } from "./pglite-thread.ts";

/** A cold create costs seconds of CPU on a slow machine. */
export const OPEN_DEADLINE_MS = 180_000;

export interface PgliteKeeper {
  /** The open thread, or a new one when the last is gone. Errors: unavailable, unsupported when PGlite is not installed. */
  readonly open: () => Promise<PgliteThread>;
  /** Ends the thread and opens the next one at once. Nobody waits for it but who asks next: the caller that was late has its answer already. */
  readonly replace: (thread: PgliteThread) => void;
  /** Does the last thing with the thread that is open, if any, and ends it. */
  readonly close: (last: (thread: PgliteThread) => Promise<unknown>) => Promise<void>;
}

export function keepPgliteThread(directory: DataDirectory): PgliteKeeper {
  let current: PgliteThread | undefined;
  let opening: Promise<PgliteThread> | undefined;

  async function start(): Promise<PgliteThread> {
    await current?.end();
    const seedFile = directory.prepare();
    const module = await pgliteModule();
    const { thread, opened } = startPgliteThread({
      directory: directory.path,
      ...(seedFile === undefined ? {} : { seedFile }),
      ...(module === undefined ? {} : { module }),
    });
    current = thread;
    try {
      await withDeadline(opened, { deadlineMs: OPEN_DEADLINE_MS, onLate: () => new HangoError("unavailable", "The database took too long to open.") });
    } catch (error) {
      await thread.end();
      throw openFailure(error, directory);
    }
    return thread;
  }

  const open = (): Promise<PgliteThread> => {
    if (opening !== undefined) return opening;
    if (current !== undefined && !current.broken()) return Promise.resolve(current);
    opening = start().finally(() => (opening = undefined));
    return opening;
  };

  /** What is being opened, or was; a failure was told to whom it concerned, or is told to the next caller, who opens again. */
  const settled = (): Promise<unknown> => Promise.allSettled([opening]);

  return {
    open,
    replace: (thread) => {
      void Promise.allSettled([thread.end(), open()]);
    },
    close: async (last) => {
      await settled();
      try {
        if (current !== undefined && !current.broken()) await last(current);
      } finally {
        await current?.end();
      }
    },
  };
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
