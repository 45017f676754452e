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

/** Lets timers and sockets run. A browser clamps nested setTimeout to 4 ms, so it gets a message instead. */
export function giveWay(): Promise<void> {
  const { setImmediate } = globalThis as Scheduler;
  if (setImmediate !== undefined) return new Promise((resolve) => void setImmediate(resolve));
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
