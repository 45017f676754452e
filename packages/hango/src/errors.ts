/** Every way hango can fail: one error class, a closed set of codes, and one table that says what each code means at each door. */

export type ErrorCode =
  | "invalid_path"
  | "invalid_argument"
  | "invalid_content"
  | "invalid_pattern"
  | "not_found"
  | "already_exists"
  | "not_a_file"
  | "not_a_directory"
  | "not_text"
  | "conflict"
  | "no_match"
  | "ambiguous_match"
  | "duplicate_mutation"
  | "read_only"
  | "forbidden"
  | "too_large"
  | "quota_exceeded"
  | "unsupported"
  | "timeout"
  | "unavailable"
  | "internal";

export interface ErrorRow {
  /** The HTTP status of the files API. */
  readonly status: number;
  /** True when the same call may succeed later without any change by the caller. */
  readonly retryable: boolean;
  /** What a model should do next; empty where the message already says it. */
  readonly hint: string;
}

/** Source: the one table; a code without a row does not compile. */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = {
  invalid_path: { status: 400, retryable: false, hint: "Use an absolute path such as /docs/a.md." },
  invalid_argument: { status: 400, retryable: false, hint: "Correct the argument and call again." },
  invalid_content: { status: 422, retryable: false, hint: "Send well-formed text without NUL characters." },
  invalid_pattern: { status: 400, retryable: false, hint: "" },
  not_found: { status: 404, retryable: false, hint: "Use ls or glob to see what is there." },
  already_exists: { status: 412, retryable: false, hint: "Read the file first, then write or edit it." },
  not_a_file: { status: 409, retryable: false, hint: "Use ls to see what the directory holds." },
  not_a_directory: { status: 409, retryable: false, hint: "A file has nothing below it; use another path." },
  not_text: { status: 415, retryable: false, hint: "The file is binary; the text tools can't show or change it." },
  conflict: { status: 412, retryable: false, hint: "Re-read the file and retry." },
  no_match: { status: 422, retryable: false, hint: "Re-read the file and copy the exact text, whitespace included." },
  ambiguous_match: { status: 422, retryable: false, hint: "Add surrounding lines to old_string, or set replace_all." },
  duplicate_mutation: { status: 409, retryable: false, hint: "Wait for the first change to finish, then make the next one." },
  read_only: { status: 403, retryable: false, hint: "Write to another place." },
  forbidden: { status: 403, retryable: false, hint: "" },
  too_large: { status: 413, retryable: false, hint: "Write less, or split it into several files." },
  quota_exceeded: { status: 507, retryable: false, hint: "Delete files that are no longer needed, then retry." },
  unsupported: { status: 501, retryable: false, hint: "" },
  timeout: { status: 504, retryable: false, hint: "Narrow the call: a more specific pattern, or a smaller path." },
  unavailable: { status: 503, retryable: true, hint: "The file store did not answer; retry in a moment." },
  internal: { status: 500, retryable: false, hint: "" },
};

export interface HangoErrorOptions {
  /** The operation that failed: "read", "write", "grep". */
  readonly op?: string;
  /** Agent form ("/docs/a.md"), whatever tier raised it. */
  readonly path?: string;
  /** Machine-readable facts: `currentVersion`, `paths`, `count`, `totalLines`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** A foreign error (SQL, the operating system). It never reaches a model or a client. */
  readonly cause?: unknown;
}

const brand: symbol = Symbol.for("hango.HangoError");

/** The one error of hango. Its message is for the reader: what happened, which rule, what to do next. */
export class HangoError extends Error {
  readonly code: ErrorCode;
  readonly op?: string;
  readonly path?: string;
  readonly details?: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: HangoErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "HangoError";
    this.code = code;
    if (options.op !== undefined) this.op = options.op;
    if (options.path !== undefined) this.path = options.path;
    if (options.details !== undefined) this.details = options.details;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Narrows to a HangoError, also to one made by another copy of the library; with `code`, only to that code. */
export function isHangoError(error: unknown, code?: ErrorCode): error is HangoError {
  if (!isObject(error) || !(brand in error)) return false;
  return code === undefined || (error as HangoError).code === code;
}

/** How a storage-form path is shown to a reader: always absolute. */
export function shownPath(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

/** The one not_found, so that a hidden file and a missing one answer byte for byte alike. Takes either form of path. */
export function notFound(path: string, op?: string): HangoError {
  const shown = shownPath(path);
  return new HangoError("not_found", `${shown} does not exist.`, { path: shown, ...(op === undefined ? {} : { op }) });
}

/** True for what can have members; a list can as well. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Refuses names that an options object does not have: a misspelled one would be ignored without a word. Errors: invalid_argument. */
export function checkOptionNames(what: string, given: object, known: readonly string[]): void {
  if (!isObject(given)) throw new HangoError("invalid_argument", `${what} takes an object of options: ${known.join(", ")}.`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new HangoError("invalid_argument", `${what} has no option ${JSON.stringify(unknown)}. It takes ${known.join(", ")}.`);
}
