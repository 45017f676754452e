/** Ctrl-C and SIGTERM ask a server to end; a second time means at once. */
import { takeInterrupts, takeTermination } from "../interrupt.ts";
import { exitCodes } from "../exit-codes.ts";

export interface Asked {
  readonly signal: AbortSignal;
  /** Resolves when the process is asked to end. */
  readonly promise: Promise<void>;
  readonly giveBack: () => void;
}

/** Listens from now on. */
export function untilAsked(): Asked {
  const stop = new AbortController();
  const promise = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve(), { once: true }));
  const ask = (): void => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted.code);
    stop.abort();
  };
  const giveBack = [takeInterrupts(ask), takeTermination(ask)];
  return { signal: stop.signal, promise, giveBack: () => giveBack.forEach((give) => give()) };
}
