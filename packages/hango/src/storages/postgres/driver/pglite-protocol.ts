/** What the main thread and PGlite's worker say to each other. Plain data, so that a structured clone carries it. */
import type { Row, SqlValue, Statement } from "./driver.ts";

/** How the worker is started. */
export interface WorkerSetup {
  readonly directory: string;
  /** A packed, migrated data directory to start an empty one from. */
  readonly seedFile?: string;
  /** The compiled engine; without it the thread compiles its own. */
  readonly module?: WebAssembly.Module;
}

export type WorkerRequest =
  /** One transaction, whole in one message; a single statement without settings goes alone. */
  | { readonly kind: "run"; readonly id: number; readonly statements: readonly Statement[]; readonly settings: readonly (readonly [string, string])[] }
  /** Statements one after another, inside a transaction that an earlier step began. */
  | { readonly kind: "step"; readonly id: number; readonly statements: readonly Statement[] }
  /** One statement of a session, for the migrator. */
  | { readonly kind: "query"; readonly id: number; readonly text: string; readonly values: readonly SqlValue[] }
  | { readonly kind: "close"; readonly id: number };

export interface ForeignError {
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
}

/** The id of the first answer, which says that the database is open. */
export const OPENED = 0;

export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly rows: readonly (readonly Row[])[]; readonly affected: number }
  /** `broken`: the engine itself may be damaged, so the worker has to go. */
  | { readonly id: number; readonly ok: false; readonly error: ForeignError; readonly broken: boolean };

/** Below this a copy is cheaper than a transfer. */
const TRANSFER_BYTES = 64 * 1024;

/** The buffers of rows that this thread alone holds whole, to be moved rather than copied. */
export function transferables(rows: readonly (readonly Row[])[]): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  for (const row of rows.flat()) {
    for (const value of Object.values(row)) {
      if (
        value instanceof Uint8Array &&
        value.byteLength >= TRANSFER_BYTES &&
        value.byteLength === value.buffer.byteLength &&
        value.buffer instanceof ArrayBuffer
      )
        found.add(value.buffer);
    }
  }
  return [...found];
}

/** Copies views of larger buffers: a clone would carry the whole buffer, and a transfer would take the caller's bytes away. */
export function ownBytes(statements: readonly Statement[]): { readonly statements: readonly Statement[]; readonly transfer: ArrayBuffer[] } {
  const transfer: ArrayBuffer[] = [];
  const own = <T>(value: T): T => {
    if (!(value instanceof Uint8Array)) return value;
    const copy = Uint8Array.from(value);
    transfer.push(copy.buffer);
    return copy as unknown as T;
  };
  const owned = statements.map(({ text, values, copy }) => ({
    text,
    values: values.map((value) => (Array.isArray(value) ? value.map(own) : own(value)) as SqlValue),
    ...(copy === undefined ? {} : { copy: own(copy) }),
  }));
  return { statements: owned, transfer };
}
