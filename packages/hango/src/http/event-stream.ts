/** Server-sent events of one agent: pulled by the reader, so that a slow one holds nothing back but itself. */
import type { AuditRow } from "../tenancy.ts";
import type { StreamLimits } from "./door.ts";

export interface EventSource {
  readonly next: (after: string, signal: AbortSignal) => Promise<readonly AuditRow[]>;
  /** Resolves when something may be new, at the latest after `timeoutMs`. */
  readonly wait: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  /** Asked at each heartbeat: false ends the stream. */
  readonly mayGoOn: () => Promise<boolean>;
  /** What is sent of a row; undefined for one that this reader must not see. */
  readonly show: (row: AuditRow) => unknown;
}

const encoder = new TextEncoder();

/** Each event carries the id to go on from. The stream ends when `signal` aborts, when the reader leaves, or when it may not go on. */
export function eventStream(
  source: EventSource,
  options: { readonly after: string; readonly limits: Pick<StreamLimits, "heartbeatMs" | "pollMs">; readonly signal: AbortSignal; readonly onEnd: () => void },
): ReadableStream<Uint8Array> {
  const { limits, onEnd } = options;
  const gone = new AbortController();
  const signal = AbortSignal.any([options.signal, gone.signal]);
  let after = options.after;
  let begun = false;
  let ended = false;
  let heartbeatAt = Date.now() + limits.heartbeatMs;

  function end(): void {
    if (ended) return;
    ended = true;
    gone.abort();
    onEnd();
  }

  /** The next thing to send, or undefined at the end. */
  async function chunk(): Promise<string | undefined> {
    // At once, so that the reader knows the stream is open and where it starts.
    if (!begun) {
      begun = true;
      return `retry: ${limits.pollMs}\nid: ${after}\n\n`;
    }
    let beat = false;
    while (!signal.aborted) {
      // By the clock and before anything is read: an agent that is never quiet must not keep a revoked key's stream open.
      if (Date.now() >= heartbeatAt) {
        heartbeatAt = Date.now() + limits.heartbeatMs;
        beat = true;
        if (!(await source.mayGoOn())) return undefined;
      }
      const rows = await source.next(after, signal);
      const last = rows.at(-1);
      if (last !== undefined) {
        after = last.id;
        const text = rows.map((row) => eventText(row.id, source.show(row))).join("");
        if (text !== "") return text;
      }
      if (beat) return ": still here\n\n";
      if (last !== undefined) continue;
      await source.wait(Math.max(1, Math.min(limits.pollMs, heartbeatAt - Date.now())), signal);
    }
    return undefined;
  }

  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const text = await chunk();
        if (text !== undefined) return controller.enqueue(encoder.encode(text));
      } catch (error) {
        // A reader that left, or a server that closes, is no fault; anything else breaks the transfer, and the reader comes back with its last id.
        if (!signal.aborted) {
          end();
          throw error;
        }
      }
      end();
      controller.close();
    },
    cancel: end,
  });
}

function eventText(id: string, shown: unknown): string {
  return shown === undefined ? "" : `id: ${id}\nevent: change\ndata: ${JSON.stringify(shown)}\n\n`;
}

/** Waits, and wakes at once on abort. */
export function pause(timeoutMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}

export interface Seats {
  /** Takes a place for one more stream; undefined when all are taken. */
  readonly take: (who: string) => (() => void) | undefined;
}

export function createSeats(limits: Pick<StreamLimits, "maxStreams" | "maxStreamsEach">): Seats {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take: (who) => {
      const own = taken.get(who) ?? 0;
      if (total >= limits.maxStreams || own >= limits.maxStreamsEach) return undefined;
      total += 1;
      taken.set(who, own + 1);
      return () => {
        total -= 1;
        const left = (taken.get(who) ?? 1) - 1;
        if (left === 0) taken.delete(who);
        else taken.set(who, left);
      };
    },
  };
}
