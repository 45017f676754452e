/** The share of the connections that greps may take, so that slow ones never starve a point read. */
import { HangoError } from "../../../errors.ts";

export interface ShareOptions {
  /** Runs at once, over all tenants. */
  readonly limit: number;
  /** Runs at once of one tenant. */
  readonly perTenant: number;
  /** Callers that may wait; one more is refused at once. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

export interface Share {
  /** Resolves with the release. Errors: unavailable when too many wait or the wait is too long; an abort rethrows its reason. */
  readonly enter: (tenantId: string, signal?: AbortSignal) => Promise<() => void>;
}

interface Waiter {
  readonly tenantId: string;
  readonly start: () => void;
}

/** Makes a semaphore with a cap for each tenant and a bounded queue; a waiter of a tenant at its cap is passed over, not waited for. */
export function createShare(options: ShareOptions): Share {
  const running = new Map<string, number>();
  const waiting: Waiter[] = [];
  let total = 0;

  const mayRun = (tenantId: string): boolean => total < options.limit && (running.get(tenantId) ?? 0) < options.perTenant;

  function take(tenantId: string): () => void {
    total += 1;
    running.set(tenantId, (running.get(tenantId) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      total -= 1;
      const left = (running.get(tenantId) ?? 1) - 1;
      if (left === 0) running.delete(tenantId);
      else running.set(tenantId, left);
      const next = waiting.findIndex((waiter) => mayRun(waiter.tenantId));
      if (next >= 0) waiting.splice(next, 1)[0]?.start();
    };
  }

  function wait(tenantId: string, signal: AbortSignal | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        const at = waiting.indexOf(waiter);
        if (at >= 0) waiting.splice(at, 1);
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        tenantId,
        start: () => {
          leave();
          resolve(take(tenantId));
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(busy());
      }, options.maxWaitMs);
      signal?.addEventListener("abort", abort, { once: true });
      waiting.push(waiter);
    });
  }

  return {
    enter: async (tenantId, signal) => {
      signal?.throwIfAborted();
      if (mayRun(tenantId)) return take(tenantId);
      if (waiting.length >= options.maxWaiting) throw busy();
      return wait(tenantId, signal);
    },
  };
}

function busy(): HangoError {
  return new HangoError("unavailable", "Too many searches are running; retry in a moment.");
}
