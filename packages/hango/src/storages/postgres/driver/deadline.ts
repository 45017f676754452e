/** A wait that ends at a deadline or an abort, whichever comes first; what was waited for goes on by itself. */

/** A run without a deadline of its own is given up after this, so that a dead engine never hangs a caller. */
export const RUN_DEADLINE_MS = 60_000;

/** How long a transaction may wait for its next step, so that a caller who forgot it keeps nobody out for good. */
export const IDLE_DEADLINE_MS = 300_000;

export interface DeadlineOptions {
  readonly deadlineMs: number;
  readonly onLate: () => Error;
  readonly signal?: AbortSignal | undefined;
}

/** Errors: those of `work`; `onLate()` after the deadline; an abort rethrows its reason. */
export function withDeadline<T>(work: Promise<T>, { deadlineMs, onLate, signal }: DeadlineOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const abort = (): void => {
      leave();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      leave();
      reject(onLate());
    }, deadlineMs);
    // An abort just before this is no event any more.
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    work.finally(leave).then(resolve, reject);
  });
}
