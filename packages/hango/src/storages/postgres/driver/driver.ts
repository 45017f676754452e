/** What the Postgres storage asks of a connection, whichever engine is behind it: `pg` over a socket, or PGlite in a worker thread. */
import type { CallOptions, Namespace } from "../../../storage.ts";

/** Only plain values reach a driver: a parameter that fails to encode would let the rest of its transaction commit. */
export type SqlScalar = string | number | boolean | null | Uint8Array;
export type SqlValue = SqlScalar | readonly SqlScalar[];

export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** What a `COPY … FROM STDIN` takes in; such a statement has no values. */
  readonly copy?: Uint8Array;
}

export type Row = Readonly<Record<string, unknown>>;

/** What differs between engines. Optional things sit behind these, never behind the engine's name. */
export interface Capabilities {
  readonly engine: "postgres" | "pglite";
  /** 180004 for 18.4. */
  readonly serverVersion: number;
  /** False: grep and glob match in JavaScript over pages. */
  readonly regex: boolean;
  /** "none": there is one connection for all, which a transaction has to itself, so that no two can meet in a tree. */
  readonly treeLock: "advisory" | "row" | "none";
  /** False: the driver keeps the deadline itself. */
  readonly statementTimeout: boolean;
  /** False where the role may not make temporary tables, or the engine has none: no load. */
  readonly temporaryTables: boolean;
  /** False where there is one connection for all: a transaction that waits for its caller keeps everybody else out. */
  readonly manyConnections: boolean;
}

export interface RunOptions extends CallOptions {
  /** Bound transaction-locally for row-level security, where that is on. */
  readonly namespace: Namespace;
  /** Deadline of the whole run. Over it the answer is `timeout`. */
  readonly timeoutMs?: number;
  /** Transaction-local settings, e.g. `{ temp_file_limit: "1GB" }`, which is left out where the role may not set it. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Greps, and searches of the record, have their own share of the connections. */
  readonly share?: "main" | "grep";
}

export interface RunResult {
  /** The rows of each statement, in order. */
  readonly rows: readonly (readonly Row[])[];
  /** 1, or more when an earlier attempt was lost with its outcome unknown; the statements then ran with the same values again. */
  readonly attempts: number;
}

export interface BeginOptions extends Pick<RunOptions, "namespace" | "settings" | "signal"> {
  /** Every statement sees the same moment, and none may write. */
  readonly snapshot?: boolean;
}

/**
 * A transaction step by step, on one connection that nobody else has meanwhile. Whatever fails ends it, with nothing left behind.
 * Limits: between two steps at most IDLE_DEADLINE_MS.
 */
export interface Transaction {
  /** Runs statements in one flush; the rows of each. Errors: as Driver.run, never retried. */
  readonly run: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  readonly commit: () => Promise<void>;
  /** Undoes it and gives the connection back; nothing to do once it has ended. */
  readonly rollback: () => Promise<void>;
}

/** Connections of a pool. */
export interface PoolFigures {
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  /** Calls that wait for one. */
  readonly waiting: number;
}

/**
 * Runs statements as one transaction in one network round trip; a single statement without settings goes alone.
 * Retries what is safe to repeat (the statements carry their own operation ids), a bounded number of times.
 * Errors: a HangoError made from the SQLSTATE, the foreign error as its cause; an abort rethrows `signal.reason`.
 */
export interface Driver {
  readonly schema: string;
  readonly capabilities: Capabilities;
  /** The connections at this moment; absent where there is no pool, or the user's own does not tell. */
  readonly pool?: () => PoolFigures | undefined;
  readonly run: (statements: readonly Statement[], options: RunOptions) => Promise<RunResult>;
  /** Errors: as `run`. */
  readonly begin: (options: BeginOptions) => Promise<Transaction>;
  readonly close: () => Promise<void>;
}
