/** How often one person may leave a row behind in a minute: without a bound one stolen key fills the disk. */
import { HangoError } from "../errors.ts";

export interface RateLimits {
  /** In one window, of one person or key. Those at the same moment may be a few more. */
  readonly each: number;
  /** Units: milliseconds. */
  readonly windowMs: number;
  /** How many are remembered; of more the one that did nothing for longest is forgotten. */
  readonly maxRemembered: number;
  readonly now: () => number;
}

export interface Rate {
  /** Before it is done. Errors: unavailable with `busy`, which is 429; `what` begins the sentence. */
  readonly check: (who: string, what: string) => void;
  readonly count: (who: string) => void;
}

const MINUTE: Omit<RateLimits, "each"> = { windowMs: 60_000, maxRemembered: 10_000, now: () => performance.now() };

export function createRate({ each, windowMs, maxRemembered, now }: Pick<RateLimits, "each"> & Partial<RateLimits>): Rate {
  const limits = { windowMs: windowMs ?? MINUTE.windowMs, maxRemembered: maxRemembered ?? MINUTE.maxRemembered, now: now ?? MINUTE.now };
  const windows = new Map<string, { readonly until: number; readonly done: number }>();
  const windowOf = (who: string): { readonly until: number; readonly done: number } => {
    const window = windows.get(who);
    return window === undefined || window.until <= limits.now() ? { until: limits.now() + limits.windowMs, done: 0 } : window;
  };

  return {
    check: (who, what) => {
      const { until, done } = windowOf(who);
      if (done < each) return;
      const retrySeconds = Math.max(1, Math.ceil((until - limits.now()) / 1_000));
      throw new HangoError("unavailable", `${what}: ${each} a minute are the most. Try again in ${retrySeconds} seconds.`, {
        details: { busy: "rate", retrySeconds },
      });
    },
    count: (who) => {
      const { until, done } = windowOf(who);
      windows.delete(who);
      windows.set(who, { until, done: done + 1 });
      if (windows.size <= limits.maxRemembered) return;
      const [oldest] = windows.keys();
      if (oldest !== undefined) windows.delete(oldest);
    },
  };
}
