/** The options of each operation, checked before an implementation sees them. A wrong one is invalid_argument, never ignored. */
import { HangoError, isObject } from "../errors.ts";
import { MAX_CONTENT_TYPE_CHARS, MAX_PATH_BYTES, MAX_VERSION_CHARS } from "../limits.ts";
import { isContentType } from "../path/content-type.ts";
import { parseDirectory } from "../path/path.ts";
import type { CallOptions, ListOptions, LsOptions, Origin, PathFilter, Version } from "../storage.ts";
import { codePointLength } from "../text/utf8.ts";

const versionForm = new RegExp(`^[A-Za-z0-9._~-]{1,${MAX_VERSION_CHARS}}$`);
/** Leaves room for the cursor that skips a directory, which is longer than any path. */
const MAX_AFTER_CHARS = 2 * MAX_PATH_BYTES;
/** Of each text of an origin, and of a reason: the record keeps it outside every quota. */
export const MAX_RECORD_TEXT_CHARS = 512;
export const ACTORS: ReadonlySet<unknown> = new Set<Origin["actor"]>(["agent", "operator", "system"]);

function refuse(message: string): never {
  throw new HangoError("invalid_argument", message);
}

/** True for a token that a storage may hand out: "absent" is a precondition, never a version. */
export function isVersion(value: unknown): value is Version {
  return typeof value === "string" && value !== "absent" && versionForm.test(value);
}

/** Errors: invalid_argument for what is neither a version nor, where a create makes sense, "absent". */
export function checkIfVersion(ifVersion: unknown, allows: "version" | "version or absent"): void {
  if (ifVersion === undefined || isVersion(ifVersion) || (ifVersion === "absent" && allows === "version or absent")) return;
  refuse(
    `ifVersion must be a version as a read or write returned it (1 to ${MAX_VERSION_CHARS} characters of A-Z a-z 0-9 . _ ~ -)${allows === "version" ? "" : `, or "absent"`}.`,
  );
}

/** Answers what was given without an empty content type, which counts as none. Errors: invalid_argument. */
export function checkContentType<T extends { readonly contentType?: string }>(given: T): T {
  const { contentType, ...rest } = given;
  if (contentType !== undefined && !isContentType(contentType))
    refuse(`contentType must be at most ${MAX_CONTENT_TYPE_CHARS} printable ASCII characters, such as text/markdown.`);
  return contentType === "" ? (rest as T) : given;
}

/** True for a text that the record may keep. */
export function isShortText(text: unknown): text is string {
  // UTF-16 units are never more than two a character, so a text of any length is refused at once.
  return typeof text === "string" && text.length <= 2 * MAX_RECORD_TEXT_CHARS && codePointLength(text) <= MAX_RECORD_TEXT_CHARS;
}

/** Checks what every call may carry. Errors: invalid_argument naming the part of the origin that is wrong. */
export function checkCall(options: CallOptions): void {
  if (!isObject(options)) refuse("The options of a call must be an object; leave them out when there are none.");
  const { origin } = options;
  if (origin === undefined) return;
  if (!ACTORS.has(origin?.actor)) refuse("origin.actor must be one of agent, operator and system.");
  for (const part of ["sessionId", "principal", "tool", "toolCallId"] as const) {
    const text: unknown = origin[part];
    if (text === undefined || isShortText(text)) continue;
    refuse(`origin.${part} must be text of at most ${MAX_RECORD_TEXT_CHARS} characters.`);
  }
}

/** Errors: invalid_argument naming what is not a whole number of at least `least`. */
export function checkWhole(value: unknown, what: string, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  refuse(`${what} must be a whole number of at least ${least}.`);
}

/** True for a Uint8Array, also of another realm, and for a Buffer. */
export function isContent(bytes: unknown): bytes is Uint8Array {
  return Object.prototype.toString.call(bytes) === "[object Uint8Array]";
}

export function checkContent(bytes: unknown): void {
  if (!isContent(bytes)) refuse("Content must be a Uint8Array.");
}

/** Errors: invalid_argument for a query that is empty or not text. */
export function checkQuery(query: unknown): void {
  if (typeof query !== "string" || query === "") refuse("The query is empty; say what to search for.");
  if (!isCleanText(query)) refuse("The query must be well-formed text without NUL characters.");
}

function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function checkFilters(filters: readonly PathFilter[] | undefined): void {
  const lists = (filter: PathFilter): readonly unknown[] => [filter?.hide, filter?.show, filter?.hideAnyCase ?? []];
  if (filters === undefined || (Array.isArray(filters) && filters.every((filter) => lists(filter).every(Array.isArray)))) return;
  refuse("filters must be a list of { hide, show } lists of paths.");
}

/** Checks what list, ls and search share. */
export function checkLsOptions(options: LsOptions): void {
  checkCall(options);
  const { after, limit } = options;
  if (limit !== undefined) checkWhole(limit, "limit", 0);
  if (after !== undefined && (typeof after !== "string" || after.length > MAX_AFTER_CHARS || !isCleanText(after)))
    refuse(`after must be well-formed text of at most ${MAX_AFTER_CHARS} characters, such as the last path of the page before.`);
  checkFilters(options.filters);
}

/** Answers the options with a parsed prefix; the root's is left out. Errors: invalid_path, invalid_argument. */
export function checkListOptions(options: ListOptions): ListOptions {
  checkLsOptions(options);
  if (options.prefix === undefined) return options;
  const { prefix, ...rest } = options;
  const directory = parseDirectory(prefix);
  return directory === "" ? rest : { ...rest, prefix: directory };
}
