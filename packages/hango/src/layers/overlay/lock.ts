/** Who may run when: changes one after the other, and nothing beside a commit. */
import { untilAborted } from "../../contract/until-aborted.ts";

export interface Lock {
  /** Runs when every change before it has ended. `alone`: what is called after it waits for its end. Errors: an abort while it waits rethrows `signal.reason`. */
  readonly change: <T>(run: () => Promise<T>, options?: { readonly signal?: AbortSignal | undefined; readonly alone?: boolean }) => Promise<T>;
  /** Resolves when nothing runs alone, or is about to. Errors: an abort rethrows `signal.reason`. */
  readonly free: (signal: AbortSignal | undefined) => Promise<void>;
  /** Runs at once, or after what runs alone. */
  readonly soon: (run: () => void) => void;
}

export function createLock(): Lock {
  let last: Promise<void> = Promise.resolve();
  /** The end of the latest one that runs alone. */
  let alone: Promise<void> | undefined;

  async function change<T>(run: () => Promise<T>, options: { readonly signal?: AbortSignal | undefined; readonly alone?: boolean } = {}): Promise<T> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const turn = last;
    last = turn.then(() => ended);
    if (options.alone === true) alone = ended;
    try {
      await untilAborted(turn, options.signal);
      return await run();
    } finally {
      if (alone === ended) alone = undefined;
      end();
    }
  }

  async function free(signal: AbortSignal | undefined): Promise<void> {
    while (alone !== undefined) await untilAborted(alone, signal);
  }

  return {
    change,
    free,
    soon: (run) => {
      if (alone === undefined) run();
      else void change(async () => run(), { alone: true });
    },
  };
}
