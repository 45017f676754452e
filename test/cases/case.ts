/** Cases made from public bug reports about agents' file tools: files, steps, and the right answers, as data. */
import type { ErrorCode } from "hango";

export interface Found {
  readonly path: string;
  readonly line: number;
  readonly text?: string;
  readonly column?: number;
}

/** What any step may ask of its answer. No `error` means it must succeed. */
interface Wanted {
  /** The session that calls: a short name stands for its UUID, here and in machine paths. */
  readonly as?: string;
  readonly error?: ErrorCode | readonly ErrorCode[];
  readonly says?: readonly string[];
  readonly omits?: readonly string[];
}

export interface ChangeStep extends Wanted {
  readonly tool: "write_file" | "edit_file" | "delete_file";
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ReadStep extends Wanted {
  readonly tool: "read_file";
  readonly args: Readonly<Record<string, unknown>>;
  /** Lines that must be shown, as number and text; an empty list means none may be. */
  readonly shows?: readonly (readonly [number, string])[];
  /** All that is shown, lines joined. */
  readonly whole?: string;
  /** Lines of the file, which the footer must tell. */
  readonly total?: number;
  /** Reads on by the footer alone to the end: no gap, no overlap. */
  readonly pages?: boolean;
}

/** Runs through the library and through the model's tool: one outcome, and the tool's text holds what the library answers. */
export interface FindStep extends Wanted {
  readonly tool: "ls" | "glob" | "grep";
  readonly args: Readonly<Record<string, unknown>>;
  readonly names?: readonly string[];
  readonly paths?: readonly string[];
  readonly found?: readonly Found[];
  readonly count?: number;
  readonly truncated?: boolean;
}

/** Calls started together, in this order, as one batch. */
export interface BatchStep {
  readonly batch: readonly (ChangeStep | ReadStep)[];
}

/** What the owner's own hand does, beside the session. */
export type OwnerStep = { readonly put: string; readonly text: string } | { readonly remove: string };

/** What the storage must hold; null means no file. */
export interface AfterStep {
  readonly holds: Readonly<Record<string, string | null>>;
}

/** The library's whole listing, in order. */
export interface ListStep {
  readonly list: readonly string[];
}

export type Step = ChangeStep | ReadStep | FindStep | BatchStep | OwnerStep | AfterStep | ListStep;

export interface PublicCase {
  readonly name: string;
  /** The public report whose kind this is. */
  readonly source: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Content and version must be at the end what they were before the first step. */
  readonly unchanged?: readonly string[];
}
