/** A namespace that travels with the call instead of through every argument list. */
import { AsyncLocalStorage } from "node:async_hooks";
import { HangoError } from "../errors.ts";
import type { Namespace } from "../storage.ts";
import { parseNamespace } from "./namespace.ts";

const key: symbol = Symbol.for("hango.namespace");

/** One for the whole process: two copies of the library see the same. */
function contexts(): AsyncLocalStorage<Namespace> {
  const shared = globalThis as unknown as Record<symbol, AsyncLocalStorage<Namespace> | undefined>;
  return (shared[key] ??= new AsyncLocalStorage<Namespace>());
}

/** Runs a function, and everything it awaits, in a namespace. Errors: invalid_argument for what is not two UUIDs. */
export function withNamespace<T>(namespace: Namespace, run: () => T): T {
  return contexts().run(parseNamespace(namespace), run);
}

/** The namespace of the call. Errors: invalid_argument when there is none: nothing is ever guessed. */
export function currentNamespace(): Namespace {
  const namespace = contexts().getStore();
  if (namespace === undefined) throw new HangoError("invalid_argument", "There is no namespace here. Run this inside withNamespace({ tenantId, agentId }, …).");
  return namespace;
}
