/** What went wrong between this machine and the model, in one line for a person. */
import { APICallError, RetryError } from "ai";
import { plain } from "../output.ts";

const MAX_DETAIL_CHARS = 200;

const statuses: ReadonlyMap<number, string> = new Map([
  [400, "the model refused the request"],
  [401, "the key was not accepted; check the variable that holds it"],
  [402, "the account has no credit left"],
  [403, "the key may not use this model"],
  [404, "there is no such model, or the address is wrong; check --model and --base-url"],
  [408, "the model took too long"],
  [413, "the conversation is too large for the model"],
  [429, "too many requests, or the account's limit is reached"],
]);

/** One line, without a final full stop. */
export function explainFailure(error: unknown): string {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (APICallError.isInstance(last) && last.statusCode !== undefined) {
    // It began well.
    if (last.statusCode < 400) return "the model's answer broke off";
    const meaning = statuses.get(last.statusCode) ?? (last.statusCode >= 500 ? "the model's server has a problem; try again later" : "the request failed");
    return `the model answered ${last.statusCode}: ${meaning}${detail(last.message)}`;
  }
  const cause = rootOf(last);
  if (isTimeout(cause)) return "the model did not answer in time; try again, or give it longer with --timeout";
  const code = codeOf(cause);
  if (code !== undefined) return `the model can't be reached (${code}); check the network and --base-url`;
  return `the model's answer could not be used${detail(messageOf(cause))}`;
}

/** The innermost cause that says something: fetch wraps the system's own error. */
function rootOf(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 8; depth++) {
    const cause = root instanceof Error ? root.cause : undefined;
    if (!(cause instanceof Error)) break;
    root = cause;
  }
  return root;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === "TimeoutError" || /Timeout/.test(codeOf(error) ?? error.name));
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** A server may send a text, or JSON where the SDK expected an error. */
function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === "string") return error;
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : (JSON.stringify(error) ?? "");
}

function detail(message: string): string {
  const line = plain(message.replaceAll(/\s+/g, " ").trim());
  const short = [...line].length > MAX_DETAIL_CHARS ? `${[...line].slice(0, MAX_DETAIL_CHARS - 1).join("")}…` : line;
  return short === "" ? "" : ` (${short})`;
}
