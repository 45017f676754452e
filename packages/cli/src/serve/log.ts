/** One JSON line an event on stderr; never content, never a key, and paths only on request. */
import { type Logger, pino } from "pino";
import type { ServeSettings } from "./settings.ts";

export type { Logger };

/** stdout keeps what a person was started for: the address, and once the key. */
const STDERR = 2;
/** What `flush` waits for a reader at most. */
const FLUSH_MS = 1_000;
/** What waits for a reader that takes nothing, such as a terminal that is stopped. Units: characters. */
const MAX_WAITING_CHARS: number = 8 * 1024 * 1024;

export interface Log {
  readonly logger: Logger;
  /** Before the process ends: waits for what is not written yet, unless nobody takes it. */
  readonly flush: () => Promise<void>;
}

export function createLog({ logLevel }: Pick<ServeSettings, "logLevel">, { flushMs = FLUSH_MS }: { readonly flushMs?: number } = {}): Log {
  const destination = pino.destination({ fd: STDERR, sync: false, minLength: 1, maxLength: MAX_WAITING_CHARS });
  // Nobody reads it any more, as when a terminal is closed; there is no place left to say so, and the server goes on.
  destination.on("error", () => undefined);
  const logger = pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    destination,
  );
  // Lines beyond that are lost, which is better than the server; the log says so as soon as it is read again.
  let lost = 0;
  destination.on("drop", () => void (lost += 1));
  destination.on("drain", () => {
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    logger.warn({ lines }, "lines of this log were lost: its reader took nothing for too long");
  });
  // Not flushSync: where the reader is gone it tries for ever, with the thread asleep, and no signal is heard.
  const flush = (): Promise<void> =>
    new Promise((resolve) => {
      const late = setTimeout(resolve, flushMs);
      destination.flush(() => {
        clearTimeout(late);
        resolve();
      });
    });
  return { logger, flush };
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

const MAX_CAUSES = 5;

/** An error with its causes: here, and nowhere else, may what a database said be told. Its `detail` is left out, which quotes rows. */
function describeError(error: unknown, depth: number = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" ? { code } : {}),
    ...(depth === 0 && error.stack !== undefined ? { stack: error.stack } : {}),
    ...(error.cause === undefined || depth >= MAX_CAUSES ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
