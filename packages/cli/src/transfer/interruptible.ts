/** Runs a transfer that ends in good order on Ctrl-C: the first one stops it where it is whole, the second one the process. */
import { exitCodes } from "../exit-codes.ts";
import { takeInterrupts } from "../interrupt.ts";

/** Answers undefined when it was stopped. Errors: those of `work`. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController();
  const giveBack = takeInterrupts(() => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted.code);
    stop.abort();
  });
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
    process.exitCode = exitCodes.interrupted.code;
    return undefined;
  } finally {
    giveBack();
  }
}
