/** What the model says an operation must do. */
import type { ErrorCode } from "../../packages/hango/src/errors.ts";
import type { Recorded } from "./tree.ts";

/** What a successful operation leaves: a file with these bytes, or none. */
export interface Effect {
  readonly path: string;
  readonly bytes?: Uint8Array;
  readonly contentType?: string;
}

export interface Expectation {
  /** It must fail with one of these; absent, it must succeed. */
  readonly refused?: readonly ErrorCode[];
  /** Details that the error must have. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
  readonly effects?: readonly Effect[];
  /** Rows of the record beside those of the effects, also after a refusal. */
  readonly noted?: readonly Pick<Recorded, "action" | "outcome" | "path">[];
}

export interface Refusal extends Expectation {
  readonly refused: readonly ErrorCode[];
}

export function refusal(codes: ErrorCode | readonly ErrorCode[], details?: Readonly<Record<string, unknown>>): Refusal {
  return { refused: typeof codes === "string" ? [codes] : codes, ...(details === undefined ? {} : { details }) };
}

export function isRefusal(value: object): value is Refusal {
  return "refused" in value;
}
