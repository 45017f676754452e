/** From SQLSTATE to the closed set of codes. The foreign error goes no further than `cause`. */
import { type ErrorCode, HangoError, isHangoError } from "../../errors.ts";

/** What is known of a run that failed. */
export type Failure =
  /** Nothing was applied and the same statements may succeed: run them again. */
  | "retry"
  /** The connection was lost, perhaps after COMMIT: the statements know their own operation ids, so run them again and count the attempt. */
  | "unknown"
  /** The answer stands. */
  | "final";

interface Rule {
  readonly failure: Failure;
  readonly code: ErrorCode;
  readonly message: string;
  /** The connection has a state that the next borrower must not meet. */
  readonly dropConnection?: true;
}

export const OUTCOME_UNKNOWN = "The connection to the database was lost and the outcome of the call is unknown. Re-read before you retry.";
const rule = (failure: Failure, code: ErrorCode, message: string): Rule => ({ failure, code, message });
const lost: Rule = { ...rule("unknown", "unavailable", OUTCOME_UNKNOWN), dropConnection: true };
const busy = rule("retry", "unavailable", "The database is busy; retry in a moment.");
const stalePlan: Rule = {
  ...rule("retry", "unavailable", "The connection pooler does not keep prepared statements. Open the database with preparedStatements: false."),
  dropConnection: true,
};
/** Run again it would be refused again; the storage answers from the event that is there. */
const repeated = rule("final", "conflict", "The call was made before, and the file changed since. Re-read and retry.");
const closedStart = rule("retry", "unavailable", "The database is starting or has no free connection; retry in a moment.");

/** Source: PostgreSQL's table of SQLSTATE codes. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["40001", busy],
  ["40P01", busy],
  ["55P03", busy],
  ["23505", rule("retry", "conflict", "The file changed at the same moment. Re-read and retry.")],
  ["53000", closedStart],
  ["53300", closedStart],
  ["57P03", closedStart],
  ["57P01", lost],
  ["57P02", lost],
  // Limits of the server's own on how long a session or a transaction may be idle or last.
  ["57P05", lost],
  ["25P03", lost],
  ["25P04", lost],
  // PGlite answers with this one instead of the error that it lost on its way; no statement here has a cursor.
  ["24000", lost],
  ["26000", stalePlan],
  ["42P05", stalePlan],
  ["57014", rule("final", "timeout", "The call ran over its time limit and changed nothing.")],
  ["53400", rule("final", "timeout", "The call needed more working space than it may take. Narrow it.")],
  ["22021", rule("final", "invalid_content", "Text must be well-formed Unicode without NUL characters.")],
  ["2201B", rule("final", "invalid_pattern", "The pattern is too complex for the database. Make it shorter, or use literal.")],
  [
    "23503",
    rule("final", "invalid_argument", "The tenant or agent of this namespace is not registered. Run: hango tenant create NAME, hango agent create NAME."),
  ],
  ["25006", rule("final", "read_only", "The database takes no writes now (a replica, or read-only mode).")],
  ["53100", rule("final", "unavailable", "The database's disk is full; nothing was changed.")],
  ["53200", rule("final", "unavailable", "The database is out of memory; nothing was changed.")],
  ["54000", rule("final", "too_large", "The call is larger than the database can take.")],
  ["42P01", rule("final", "internal", "A table of hango is missing. Run: npx hango migrate up --db URL, with the URL of this database.")],
  ["42703", rule("final", "internal", "A column of hango's tables is missing. Run: npx hango migrate up --db URL, with the URL of this database.")],
  [
    "42501",
    rule(
      "final",
      "internal",
      "The role of this connection may not do that with hango's tables. As their owner, run: npx hango migrate up --app-role ROLE --db URL",
    ),
  ],
  ["3D000", rule("final", "unavailable", "The database that the URL names does not exist.")],
  ["28P01", rule("final", "unavailable", "The database refused the user or password.")],
  ["28000", rule("final", "unavailable", "The database refused the user or password.")],
]);

export interface SqlErrorFields {
  readonly code: string;
  readonly constraint?: string | undefined;
  readonly message?: string;
}

/** Narrows to an error that the server sent: five characters of SQLSTATE, whose letters never start like a system error's ("EPIPE"). */
export function isSqlError(error: unknown): error is SqlErrorFields {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9FHPX][0-9A-Z]{4}$/.test(code);
}

/** True where the tables of a named statement were changed after it was named ("cached plan must not change result type"). */
export function isChangedPlan({ code, message }: { readonly code?: string; readonly message?: string }): boolean {
  return code === "0A000" && message?.includes("cached plan") === true;
}

/** The key of the events, whose ids each call makes itself; a shard of a distributed table adds to the name. */
const EVENT_KEY = "audit_events_pkey";

/** True for a second event with one id: an earlier attempt of the very same call was committed and only its answer was lost. */
export function isRepeated(error: unknown): boolean {
  const found = isHangoError(error) ? error.cause : error;
  return isSqlError(found) && found.code === "23505" && found.constraint?.startsWith(EVENT_KEY) === true;
}

const QUOTAS: ReadonlyMap<string, string> = new Map([
  ["quota_files", "The agent's limit on the number of files is reached."],
  ["quota_bytes", "The agent's limit on stored bytes is reached."],
]);

function ruleFor(error: unknown): Rule {
  if (!isSqlError(error)) return lost;
  if (isRepeated(error)) return repeated;
  const known = rules.get(error.code);
  if (known !== undefined) return known;
  if (error.code.startsWith("08")) return lost;
  if (isChangedPlan(error)) return { ...stalePlan, message: busy.message };
  const quota = error.code === "23514" ? QUOTAS.get(error.constraint ?? "") : undefined;
  if (quota !== undefined) return rule("final", "quota_exceeded", quota);
  return rule("final", "internal", "The database refused a statement of hango's own.");
}

/** Says what to do with a failed run. A HangoError was decided already. */
export function failureOf(error: unknown): Failure {
  return isHangoError(error) ? "final" : ruleFor(error).failure;
}

/** True when the connection that raised it can't be vouched for: everything without a SQLSTATE, and what leaves it in doubt. */
export function dropsConnection(error: unknown): boolean {
  return ruleFor(error).dropConnection === true;
}

/** Makes the HangoError of a foreign one; a HangoError is returned as it is. */
export function fromSqlError(error: unknown): HangoError {
  if (isHangoError(error)) return error;
  const { code, message } = ruleFor(error);
  const constraint = isSqlError(error) ? error.constraint : undefined;
  const details = code === "quota_exceeded" && constraint !== undefined ? { details: { constraint } } : {};
  return new HangoError(code, message, { ...details, cause: error });
}
