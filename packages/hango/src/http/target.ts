/**
 * The request target as it was sent. A URL parser resolves ".." and "%2e%2e" before anyone looks, and so moves a request to
 * another agent; here the target is split first, and each segment is decoded once, strictly.
 */
import { HangoError } from "../errors.ts";
import { parseFilePath } from "../path/path.ts";
import type { FilePath } from "../storage.ts";
import { quoteText } from "../text/quote.ts";

/** Characters of a request target; a longer one is answered 414. */
export const MAX_TARGET_CHARS = 4_096;

export interface Target {
  /** Still encoded; it starts with a slash. */
  readonly path: string;
  /** The parts between the slashes, still encoded: "/v1/agents" gives v1 and agents. */
  readonly segments: readonly string[];
  /** After the question mark, still encoded. */
  readonly query: string;
}

/** What a server hands over beside the request: @hono/node-server gives `incoming`, others may give `rawTarget`. */
export interface TargetSource {
  readonly rawTarget?: string | undefined;
  readonly incoming?: { readonly url?: string | undefined } | undefined;
}

/** RFC 3986: unreserved, sub-delims, ":" and "@", and percent-encoded bytes. */
const SEGMENT = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*$/;
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The target as the client sent it. A runtime that hides it gives the URL, where dots are already resolved. */
export function rawTargetOf(request: Request, source: TargetSource = {}): string {
  return source.rawTarget ?? source.incoming?.url ?? request.url;
}

/** Splits a target and takes the base path off, where it is there. */
export function splitTarget(raw: string, basePath: string): Target {
  const target = raw.replace(ABSOLUTE_FORM, "");
  const question = target.indexOf("?");
  const whole = question < 0 ? target : target.slice(0, question);
  const based = basePath !== "" && (whole === basePath || whole.startsWith(`${basePath}/`)) ? whole.slice(basePath.length) : whole;
  const path = based.startsWith("/") ? based : `/${based}`;
  return { path, segments: path.slice(1).split("/"), query: question < 0 ? "" : target.slice(question + 1) };
}

/** A file's path from the encoded segments that name it. Errors: invalid_path names the broken rule. */
export function decodeFilePath(segments: readonly string[]): FilePath {
  const names = segments.map((segment) => {
    const name = decodeSegment(segment);
    if (name === "") throw refuse(segment, "an empty name", "Write one slash between names and none at the end.");
    if (name === "." || name === "..") throw refuse(segment, "a dot segment", "Name the file itself.");
    if (name.includes("/")) throw refuse(segment, "an encoded slash", "Separate names with plain slashes.");
    return name;
  });
  return parseFilePath(names.join("/"));
}

function decodeSegment(segment: string): string {
  if (!SEGMENT.test(segment))
    throw refuse(segment, "a character that must be percent-encoded, or a broken percent sign", "Encode each name with encodeURIComponent.");
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw new HangoError("invalid_path", `Invalid path segment ${quoteText(segment)}: its percent-encoded bytes are not UTF-8.`, { cause: error });
  }
}

function refuse(segment: string, rule: string, advice: string): HangoError {
  return new HangoError("invalid_path", `Invalid path segment ${quoteText(segment)}: ${rule}. ${advice}`);
}

/** Decodes a query: each name once, "+" is a space. Errors: invalid_argument for a broken encoding and for a name given twice. */
export function decodeQuery(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decodeQueryText(equals < 0 ? part : part.slice(0, equals));
    if (values.has(name)) throw new HangoError("invalid_argument", `The query gives ${quoteText(name)} twice.`);
    values.set(name, equals < 0 ? "" : decodeQueryText(part.slice(equals + 1)));
  }
  return values;
}

function decodeQueryText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (error) {
    throw new HangoError("invalid_argument", `The query has ${quoteText(text)}, which is not percent-encoded UTF-8.`, { cause: error });
  }
}
