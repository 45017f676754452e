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
  readonly start: () => void;
  readonly refuse: () => void;
}

/**
 * Makes a semaphore with a cap for each tenant and a bounded queue. Tenants take turns; one at its cap is passed over, not
 * waited for, and when the queue is full the tenant with the most waiters gives up its last one to a tenant with fewer.
 */
export function createShare(options: ShareOptions): Share {
  const running = new Map<string, number>();
  /** By tenant, in the order of their turns. */
  const queues = new Map<string, Waiter[]>();
  let total = 0;

  const mayRun = (tenantId: string): boolean => total < options.limit && (running.get(tenantId) ?? 0) < options.perTenant;

  function startNext(): void {
    for (const [tenantId, queue] of queues) {
      if (!mayRun(tenantId)) continue;
      queue[0]?.start();
      if (queues.delete(tenantId) && queue.length > 0) queues.set(tenantId, queue);
      return;
    }
  }

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
      startNext();
    };
  }

  /** Errors: unavailable when the queue is full and no tenant has more than one waiter more than this one would have. */
  function makeRoom(tenantId: string): void {
    const lengths = [...queues.values()].map((queue) => queue.length);
    if (lengths.reduce((sum, length) => sum + length, 0) < options.maxWaiting) return;
    const most = [...queues.values()].find((queue) => queue.length === Math.max(...lengths));
    if (most === undefined || most.length <= (queues.get(tenantId)?.length ?? 0) + 1) throw busy();
    most.at(-1)?.refuse();
  }

  function wait(tenantId: string, signal: AbortSignal | undefined): Promise<() => void> {
    makeRoom(tenantId);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        const queue = queues.get(tenantId) ?? [];
        if (queue.includes(waiter)) queue.splice(queue.indexOf(waiter), 1);
        if (queue.length === 0) queues.delete(tenantId);
      };
      const giveUp = (reason: unknown): void => {
        leave();
        reject(reason);
      };
      const abort = (): void => giveUp(signal?.reason);
      const waiter: Waiter = {
        start: () => {
          leave();
          resolve(take(tenantId));
        },
        refuse: () => giveUp(busy()),
      };
      const timer = setTimeout(waiter.refuse, options.maxWaitMs);
      signal?.addEventListener("abort", abort, { once: true });
      queues.set(tenantId, [...(queues.get(tenantId) ?? []), waiter]);
    });
  }

  return {
    enter: async (tenantId, signal) => {
      signal?.throwIfAborted();
      return mayRun(tenantId) ? take(tenantId) : wait(tenantId, signal);
    },
  };
}

function busy(): HangoError {
  return new HangoError("unavailable", "Too many searches are running; retry in a moment.", { details: { busy: "search" } });
}
