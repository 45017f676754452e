/** Waits, but not longer than the signal allows; what fails after that is nobody's unhandled rejection. Errors: an abort rethrows `signal.reason`. */
export async function untilAborted<T>(waiting: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return waiting;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted, waiting]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
