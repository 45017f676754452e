/** What Ctrl-C does: what is open is closed, and the command ends at once. */
import { exitCodes } from "./exit-codes.ts";

/** How long closing may take once somebody waits for the prompt. */
const CLOSE_MS = 2_000;
/** 128 and the number of the signal. */
const TERMINATED = 143;

type Close = () => Promise<void>;

/** With the time that each may take. */
const open = new Map<Close, number>();
const stop = new AbortController();
let taken: (() => void) | undefined;
let terminationTaken: (() => void) | undefined;

/** Aborted by Ctrl-C: hand it to every call that can wait. */
export const interrupted: AbortSignal = stop.signal;

/** Remembers what has to be closed when the command ends early; the answer closes it and forgets it. */
export function closing(close: Close, { withinMs = CLOSE_MS }: { readonly withinMs?: number } = {}): Close {
  const once: Close = async () => {
    if (open.delete(once)) await close();
  };
  open.set(once, withinMs);
  return once;
}

/** What `closing` answered needs no closing: it never opened. */
export function forget(close: Close): void {
  open.delete(close);
}

/** Ends the process after closing what is open, each of which is given a short time. */
export async function leave(code: number): Promise<never> {
  const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
  await Promise.allSettled([...open].map(([close, withinMs]) => Promise.race([close(), after(withinMs)])));
  process.exit(code);
}

/** For a command with an end of its own: its handler is called for Ctrl-C instead. The answer gives Ctrl-C back. */
export function takeInterrupts(handler: () => void): () => void {
  taken = handler;
  return () => {
    if (taken === handler) taken = undefined;
  };
}

/** The same for the signal that service managers send. */
export function takeTermination(handler: () => void): () => void {
  terminationTaken = handler;
  return () => {
    if (terminationTaken === handler) terminationTaken = undefined;
  };
}

/** Listens. Once, in main. */
export function watchInterrupts(): void {
  process.on("SIGINT", () => {
    if (taken !== undefined) return taken();
    if (interrupted.aborted) process.exit(exitCodes.interrupted.code);
    stop.abort();
    void leave(exitCodes.interrupted.code);
  });
  process.on("SIGTERM", () => {
    if (terminationTaken !== undefined) return terminationTaken();
    stop.abort();
    void leave(TERMINATED);
  });
}
