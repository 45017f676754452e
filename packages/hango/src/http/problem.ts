/** Errors as application/problem+json (RFC 9457), from the one table. Foreign messages never reach a client. */
import { errorTable, HangoError, isHangoError } from "../errors.ts";
import { etagOf } from "./preconditions.ts";

/** The facts of an error that a client may see. */
const PUBLIC_DETAILS: readonly string[] = ["currentVersion", "totalLines", "lineChars", "limit", "sizeBytes", "files", "bytes", "maxFiles", "maxBytes"];

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  422: "Unprocessable Content",
  428: "Precondition Required",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};

/** Seconds after which a client that was turned away may ask again. */
export const RETRY_SECONDS = 1;

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export function problemResponse({ status, code, detail, facts = {}, headers = {} }: Problem): Response {
  const body = { type: "about:blank", title: titles[status] ?? "Error", status, code, detail, ...facts };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers },
  });
}

/** A refusal that HTTP has a status for and the library no code, such as 428. */
export function httpRefusal(status: number, code: string, message: string): HangoError {
  return new HangoError("invalid_argument", message, { details: { http: { status, code } } });
}

/** The status and code that an error is answered with. */
export function statusFor(error: HangoError): { readonly status: number; readonly code: string } {
  const http = error.details?.["http"] as { readonly status: number; readonly code: string } | undefined;
  if (http !== undefined) return http;
  if (error.code === "unavailable" && error.details?.["busy"] !== undefined) return { status: 429, code: "too_many_requests" };
  return { status: errorTable[error.code].status, code: error.code };
}

/** Unknown, foreign, invisible and malformed: one answer, byte for byte. */
export function agentNotFound(): Response {
  return problemResponse({ status: 404, code: "not_found", detail: "No such agent, or not yours to see." });
}

/** The answer to an error. What is not a HangoError, and `internal`, say nothing of themselves. */
export function problemOf(error: unknown): Response {
  if (!isHangoError(error) || error.code === "internal") return problemResponse({ status: 500, code: "internal", detail: "Something failed on the server." });
  return problemResponse({
    ...statusFor(error),
    detail: error.message,
    facts: { ...(error.path === undefined ? {} : { path: error.path }), ...publicDetails(error) },
    headers: headersOf(error),
  });
}

function publicDetails({ details = {} }: HangoError): Readonly<Record<string, unknown>> {
  return Object.fromEntries(PUBLIC_DETAILS.filter((name) => details[name] !== undefined).map((name) => [name, details[name]]));
}

function headersOf(error: HangoError): Readonly<Record<string, string>> {
  const { code, details } = error;
  if (errorTable[code].retryable || statusFor(error).status === 429) return { "retry-after": String(details?.["retrySeconds"] ?? RETRY_SECONDS) };
  const current = details?.["currentVersion"];
  return typeof current === "string" ? { etag: etagOf(current) } : {};
}
