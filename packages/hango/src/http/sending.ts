/** Contents on their way out. Each is held until its reader has taken it, and a reader may take as long as it likes. */
import { HangoError } from "../errors.ts";
import type { Principal } from "../tenancy.ts";
import { callerKey } from "./caller-key.ts";

/** Bytes of contents and archives that readers have not taken yet: of the whole process, and of one person. */
export interface SendLimits {
  readonly maxSendBytes: number;
  readonly maxSendBytesEach: number;
}

export interface Sending {
  /**
   * Books bytes for one answer, and gives back what ends that. One that goes alone is never too much.
   * Errors: unavailable, with `busy` (429) when the caller's own unread answers are too much, without (503) when everybody's are.
   */
  readonly take: (principal: Principal, bytes: number) => () => void;
}

/** Smaller ones go out in one piece and are not counted: a socket's own buffers hold about as much. */
const UNCOUNTED_BYTES = 65_536;
/** What is handed to the socket at a time. */
const PIECE_BYTES = 65_536;

export function createSending({ maxSendBytes, maxSendBytesEach }: SendLimits): Sending {
  const held = new Map<string, number>();
  let total = 0;
  return {
    take: (principal, bytes) => {
      const who = callerKey(principal);
      const own = held.get(who) ?? 0;
      if (own > 0 && own + bytes > maxSendBytesEach)
        throw new HangoError("unavailable", "Too much is on its way to you that you have not read yet. Read what you asked for, or close it, then retry.", {
          details: { busy: "sending" },
        });
      if (total > 0 && total + bytes > maxSendBytes)
        throw new HangoError("unavailable", "The server holds too much that its readers have not taken yet; retry in a moment.");
      total += bytes;
      held.set(who, own + bytes);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        total -= bytes;
        const left = (held.get(who) ?? bytes) - bytes;
        if (left === 0) held.delete(who);
        else held.set(who, left);
      };
    },
  };
}

/** A content as the body of an answer. Errors: as `take`. */
export function contentBody(bytes: Uint8Array, to: { readonly sending: Sending; readonly principal: Principal; readonly signal: AbortSignal }): BodyInit {
  if (bytes.length <= UNCOUNTED_BYTES) return bytes as Uint8Array<ArrayBuffer>;
  return bodyOf(piecesOf(bytes), { signal: to.signal, onEnd: to.sending.take(to.principal, bytes.length) });
}

/**
 * Pieces as the reader takes them. `onEnd` comes once: after the last one, when the reader leaves, on a failure, or when `signal` aborts.
 * A source that is left before its end is closed by its `return`.
 */
export function bodyOf(
  pieces: Iterator<Uint8Array> | AsyncIterator<Uint8Array>,
  { signal, onEnd }: { readonly signal: AbortSignal; readonly onEnd: () => void },
): ReadableStream<Uint8Array> {
  let source: typeof pieces | undefined = pieces;
  /** Answers what may have to be closed; undefined when it is over already. */
  function end(): typeof source {
    const left = source;
    if (left === undefined) return undefined;
    // What it held is free with it.
    source = undefined;
    signal.removeEventListener("abort", abort);
    onEnd();
    return left;
  }
  async function leave(): Promise<void> {
    await end()?.return?.();
  }
  function abort(): void {
    // The reader hears of the abort; a source that fails as it closes has nobody left to tell.
    leave().catch(() => undefined);
  }
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const next = await source?.next();
          if (next !== undefined && next.done !== true) return controller.enqueue(next.value);
          if (next === undefined) signal.throwIfAborted();
        } catch (error) {
          end();
          throw error;
        }
        end();
        controller.close();
      },
      cancel: leave,
    },
    // Nothing is taken before it is asked for.
    { highWaterMark: 0 },
  );
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
