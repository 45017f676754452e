/** A whole tenant on one driver: the tenant is bound for row-level security, and no agent. */
import { HangoError } from "../../../errors.ts";
import { isUuid, parseUuid } from "../../../path/uuid.ts";
import { escapeText, quoteText } from "../../../text/quote.ts";
import type { Driver } from "../driver/driver.ts";
import type { Scope } from "../sql/scope.ts";
import type { DirectoryPage } from "../../../tenancy.ts";

export const NIL_ID = "00000000-0000-0000-0000-000000000000";

/** Rows of one answer. */
const MAX_PAGE = 1_000;
/** Statements of a door answer in this time or not at all. */
export const DOOR_TIMEOUT_MS = 10_000;

/** Errors: invalid_argument for a tenant that is not a UUID. */
export function tenantScope(driver: Driver, tenantId: string): Scope {
  return { driver, namespace: { tenantId: parseUuid(tenantId, "tenantId"), agentId: "" } };
}

/** The id in its one spelling; undefined for what can't be one, which nobody may tell from one that is unknown. */
export function uuidOrUndefined(id: string): string | undefined {
  return isUuid(id) ? id.toLowerCase() : undefined;
}

/** Errors: invalid_argument. */
export function pageValues({ after = NIL_ID, limit }: DirectoryPage): { readonly after: string; readonly limit: number } {
  return { after: parseUuid(after, "after, the id of the last row of the page before,"), limit: checkLimit(limit) };
}

/** Errors: invalid_argument. */
export function checkLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_PAGE) return limit;
  throw new HangoError("invalid_argument", `limit must be a whole number from 1 to ${MAX_PAGE}.`);
}

const MAX_NAME_CHARS = 200;
export const MAX_SUBJECT_CHARS = 512;

/** A name or a subject as it is kept. Errors: invalid_argument for an empty or long one, and for one that a log or a terminal would act on. */
export function checkLabel(value: string, what: string, maxChars: number = MAX_NAME_CHARS): string {
  if (typeof value === "string" && value.trim() !== "" && value.length <= maxChars && escapeText(value, maxChars) === value) return value;
  const given = typeof value === "string" ? quoteText(value, 60) : typeof value;
  throw new HangoError("invalid_argument", `${what} must be 1 to ${maxChars} characters without control characters, not ${given}.`);
}
