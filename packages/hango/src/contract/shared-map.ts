import type { Storage } from "../storage.ts";

/** What is known of storages under a name; in globalThis, so that two copies of the library in one process see each other's. */
export function sharedMap<T>(name: string): WeakMap<Storage, T> {
  const shared = globalThis as { [key: symbol]: WeakMap<Storage, T> | undefined };
  return (shared[Symbol.for(name)] ??= new WeakMap());
}
