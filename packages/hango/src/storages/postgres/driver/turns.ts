/** One at a time, in order of arrival; a caller that no longer wants its turn leaves the queue. */
import { HangoError } from "../../../errors.ts";

/** Callers that may wait; one more is refused at once. */
const MAX_WAITING = 10_000;

export interface Turns {
  /** Resolves with the function that gives the turn on. Errors: unavailable when too many wait; an abort rethrows its reason. */
  readonly take: (signal?: AbortSignal) => Promise<() => void>;
}

export function createTurns(): Turns {
  const waiting = new Set<() => void>();
  let busy = false;

  function start(): () => void {
    busy = true;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      busy = false;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    take: (signal) => {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      if (!busy) return Promise.resolve(start());
      if (waiting.size >= MAX_WAITING) return Promise.reject(new HangoError("unavailable", "Too many calls wait for the database; retry in a moment."));
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(begin);
          signal?.removeEventListener("abort", abort);
        };
        const begin = (): void => {
          leave();
          resolve(start());
        };
        const abort = (): void => {
          leave();
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", abort, { once: true });
        waiting.add(begin);
      });
    },
  };
}
