/** Runs sliced work to its end without holding the event loop. */

/**
 * Drives a generator, giving way to the event loop after each yield.
 * Errors: what the generator throws; an abort rethrows `signal.reason` between two slices and ends the generator.
 */
export async function drain<T>(generator: Generator<unknown, T>, signal?: AbortSignal): Promise<T> {
  try {
    for (;;) {
      signal?.throwIfAborted();
      const step = generator.next();
      if (step.done === true) return step.value;
      await giveWay();
    }
  } finally {
    generator.return(undefined as T);
  }
}

interface Scheduler {
  readonly setImmediate?: (callback: () => void) => unknown;
}

/** Taken once: the fake timers of a test, put in place later, would hang every search. */
const { setImmediate: yieldNow } = globalThis as Scheduler;

/** Lets timers and sockets run. A browser clamps nested setTimeout to 4 ms, so it gets a message instead. */
export function giveWay(): Promise<void> {
  if (yieldNow !== undefined) return new Promise((resolve) => void yieldNow(resolve));
  if (typeof MessageChannel === "undefined") return new Promise((resolve) => void setTimeout(resolve, 0));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (): void => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
