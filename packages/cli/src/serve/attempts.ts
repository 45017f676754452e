/** How often an address may be wrong: a bound on what guessing costs the database, since a key of 256 bits can't be guessed. */
import { createHash } from "node:crypto";

export interface AttemptLimits {
  /** Different wrong credentials of one address in one window. */
  readonly perAddress: number;
  readonly windowMs: number;
  /** How long a good credential is remembered. */
  readonly goodMs: number;
  /** Addresses and good credentials that are remembered. */
  readonly maxRemembered: number;
  readonly now: () => number;
}

export interface Attempts {
  /** False: this address was wrong too often, and this credential was not good before. */
  readonly mayTry: (address: string, credential: string) => boolean;
  /** True: it was wrong a moment ago from this address, and costs no look-up. */
  readonly isWrong: (address: string, credential: string) => boolean;
  /** The same wrong credential again counts once: a page that keeps asking with a cookie that has ended is no guesser. */
  readonly failed: (address: string, credential: string) => void;
  /** Remembered, so that one bad client behind a proxy does not shut out the good ones beside it: until it is wrong, or for as long as a sign-in lives. The credential is still looked up each time. */
  readonly succeeded: (credential: string) => void;
  /** Units: seconds, at least 1. */
  readonly retryAfter: (address: string) => number;
}

interface Window {
  readonly until: number;
  /** Digests; never more than the limit. */
  readonly failures: ReadonlySet<string>;
}

const limits: AttemptLimits = { perAddress: 30, windowMs: 60_000, goodMs: 12 * 3_600_000, maxRemembered: 10_000, now: () => performance.now() };

export function createAttempts({ perAddress, windowMs, goodMs, maxRemembered, now }: AttemptLimits = limits): Attempts {
  const windows = new Map<string, Window>();
  const good = new Map<string, number>();

  const windowOf = (address: string): Window | undefined => {
    const window = windows.get(address);
    return window === undefined || window.until <= now() ? undefined : window;
  };

  return {
    mayTry: (address, credential) => {
      if ((windowOf(address)?.failures.size ?? 0) < perAddress) return true;
      return (good.get(digestOf(credential)) ?? 0) > now();
    },
    isWrong: (address, credential) => windowOf(address)?.failures.has(digestOf(credential)) ?? false,
    failed: (address, credential) => {
      good.delete(digestOf(credential));
      const { until, failures } = windowOf(address) ?? { until: now() + windowMs, failures: new Set<string>() };
      if (failures.size < perAddress) remember(windows, address, { until, failures: new Set([...failures, digestOf(credential)]) });
    },
    succeeded: (credential) => remember(good, digestOf(credential), now() + goodMs),
    retryAfter: (address) => Math.max(1, Math.ceil(((windowOf(address)?.until ?? now()) - now()) / 1_000)),
  };

  /** The one that was not touched for longest goes first. */
  function remember<T>(map: Map<string, T>, key: string, value: T): void {
    map.delete(key);
    map.set(key, value);
    if (map.size <= maxRemembered) return;
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
}

/** No key stays in memory. */
function digestOf(credential: string): string {
  return createHash("sha256").update(credential).digest("base64url");
}
