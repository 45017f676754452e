/** What the log tells of the request that is being answered. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Principal } from "hango/http";

export interface RequestContext {
  readonly id: string;
  readonly address: string;
  principal?: Principal;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs one request. */
export function withRequest<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}
