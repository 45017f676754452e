/** Contents on their way out. Each is held until its reader has taken it, and a reader may take as long as it likes. */
import { HangoError } from "../errors.ts";
import type { Principal } from "../tenancy.ts";

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
    take: ({ tenantId, subject }, bytes) => {
      const who = `${tenantId} ${subject}`;
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

/** Pieces as the reader takes them. `onEnd` comes once: after the last one, when the reader leaves, on a failure, or when `signal` aborts. */
export function bodyOf(
  pieces: Iterator<Uint8Array> | AsyncIterator<Uint8Array>,
  { signal, onEnd }: { readonly signal: AbortSignal; readonly onEnd: () => void },
): ReadableStream<Uint8Array> {
  let source: typeof pieces | undefined = pieces;
  function end(): void {
    // What it held is free with it.
    source = undefined;
    signal.removeEventListener("abort", end);
    onEnd();
  }
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
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
      cancel: async () => {
        const left = source;
        end();
        await left?.return?.();
      },
    },
    // Nothing is taken before it is asked for.
    { highWaterMark: 0 },
  );
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
