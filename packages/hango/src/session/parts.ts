/** What a session carries for its tools, behind a symbol that survives a spread and a second copy of the library. */
import { HangoError } from "../errors.ts";
import type { Guard } from "../layers/guard.ts";
import type { Limits } from "../limits.ts";
import type { Origin } from "../storage.ts";
import type { SeenTexts } from "./seen.ts";
import type { Estimator, SeenStore, Session, ToolName } from "./vocabulary.ts";

export interface SessionParts {
  readonly limits: Limits;
  readonly estimator: Estimator;
  readonly seen: SeenStore;
  readonly texts: SeenTexts;
  readonly tools: readonly ToolName[];
  /** What the session's rules say of reading a path; nothing is asked. */
  readonly readMode: Guard["readMode"];
  readonly actor: Origin["actor"];
  readonly principal: string | undefined;
}

const key: unique symbol = Symbol.for("hango.session") as never;

export function withParts(session: Session, parts: SessionParts): Session {
  return { ...session, [key]: parts } as Session;
}

/** Errors: invalid_argument for what openSession did not make. */
export function partsOf(session: Session): SessionParts {
  const parts = (session as { readonly [key]?: SessionParts } | undefined)?.[key];
  if (parts === undefined) throw new HangoError("invalid_argument", "This needs a session: make one with openSession.");
  return parts;
}
