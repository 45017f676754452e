import type { CallOptions } from "../storage.ts";

/** Only what the storage below is to know of a call. */
export function callOf({ signal, origin }: CallOptions): CallOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(origin === undefined ? {} : { origin }) };
}
