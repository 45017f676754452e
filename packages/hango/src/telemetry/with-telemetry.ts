import type { Session } from "../session/vocabulary.ts";
import { observeFileSystem } from "./observe-file-system.ts";
import { observeOffload } from "./observe-offload.ts";
import { observeStorage } from "./observe-storage.ts";
import { createSignals, type Signals, type TelemetryOptions } from "./signals.ts";

const key: unique symbol = Symbol.for("hango.telemetry") as never;

/**
 * The same session, seen: a span and figures for each file operation, a log record for each change and each offload. Content never is recorded.
 * Make the tools of what it answers; `observeTools` adds a span for each call of one. A session that is observed already is answered as it is.
 * Errors: invalid_argument.
 */
export function withTelemetry(session: Session, options: TelemetryOptions = {}): Session {
  if (signalsOf(session) !== undefined) return session;
  const signals = createSignals(session, options);
  const observed: Session = {
    ...session,
    fs: observeFileSystem(session.fs, signals, session.storage),
    storage: observeStorage(session.storage, signals),
    offload: observeOffload(session.offload, signals),
  };
  return { ...observed, [key]: signals } as Session;
}

/** Undefined for a session that nobody observes. */
export function signalsOf(session: Session): Signals | undefined {
  return (session as { readonly [key]?: Signals })[key];
}
