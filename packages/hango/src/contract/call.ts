/** What surrounds each call of an implementation: the abort check before it, the translation of foreign errors after it. */
import { HangoError, isHangoError, shownPath, type ErrorCode } from "../errors.ts";

export interface Call {
  /** The storage's own name. */
  readonly storage: string;
  readonly op: string;
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What a foreign error becomes; `internal` unless said. */
  readonly foreign?: ErrorCode;
}

/**
 * Runs one call of an implementation, and the checks of what it answers.
 * Errors: a HangoError passes; an abort rethrows `signal.reason`; anything else becomes `internal`, with the foreign text only in `cause`.
 */
export async function callImplementation<T>(call: Call, run: () => Promise<T>): Promise<T> {
  call.signal?.throwIfAborted();
  try {
    return await run();
  } catch (error) {
    if (isHangoError(error)) throw error;
    // What an implementation throws once it was told to stop is its own wording of the abort.
    call.signal?.throwIfAborted();
    const shown = call.path === undefined ? undefined : shownPath(call.path);
    const object = shown === undefined ? "" : ` ${shown}`;
    throw new HangoError(call.foreign ?? "internal", `The storage "${call.storage}" could not ${call.op}${object}.`, {
      op: call.op,
      ...(shown === undefined ? {} : { path: shown }),
      cause: error,
    });
  }
}
