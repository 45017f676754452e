/** Does something again and again, one at a time. */

export interface EveryOptions {
  readonly everyMs: number;
  /** The first time comes within this part of the interval, so that several processes don't all do it at once. Default Math.random. */
  readonly random?: () => number;
  readonly onError: (error: unknown) => void;
}

/** The answer ends it: the work in hand is aborted and waited for. */
export function every(work: (signal: AbortSignal) => Promise<void>, { everyMs, random = Math.random, onError }: EveryOptions): () => Promise<void> {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(() => {
      running = work(stop.signal)
        .catch((error: unknown) => {
          if (!stop.signal.aborted) onError(error);
        })
        .then(() => {
          // A tenth more or less, so that processes that started together drift apart.
          if (!stop.signal.aborted) wait(everyMs * (0.9 + random() * 0.2));
        });
    }, ms);
    timer.unref();
  };
  wait(everyMs * random());
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}
