/**
 * The one audited path module: pure and synchronous. Every door parses here, so all give the same verdict.
 * Agent form: absolute, "/docs/a.md", normalised. Storage form: relative, "docs/a.md", strict; the root is "".
 */
import { HangoError, shownPath } from "../errors.ts";
import { MAX_PATH_BYTES, MAX_PATH_SEGMENTS, MAX_SEGMENT_BYTES, processLimits } from "../limits.ts";
import type { FilePath } from "../storage.ts";
import { escapeText, quoteText } from "../text/quote.ts";
import { utf8Length } from "../text/utf8.ts";
import { forbiddenCharacter } from "./characters.ts";

/** Units of a path before it is normalised, so that a megabyte of slashes is refused unread. */
export const MAX_RAW_PATH_CHARS: number = 8 * MAX_PATH_BYTES;

/** What a path looks like in each form, for what is no path at all. */
const AGENT_FORM = "Use an absolute path such as /docs/a.md; the root is /.";
const STORAGE_FORM = 'A file\'s path in storage form looks like "docs/a.md".';

/** Parses the storage form of a file's path. Errors: invalid_path names the broken rule. */
export function parseFilePath(path: string): FilePath {
  checkRaw(path, { maxChars: MAX_PATH_BYTES, advice: STORAGE_FORM });
  if (path === "") throw invalid(path, "empty path", STORAGE_FORM);
  if (path.startsWith("/")) throw invalid(path, "leading slash", 'Storage form is relative: "docs/a.md".');
  if (path.endsWith("/")) throw invalid(path, "trailing slash", "Leave it out.");
  const segments = path.split("/");
  for (const segment of segments) {
    if (segment === "") throw invalid(path, "empty segment", "Write one slash between names.");
    if (segment === ".") throw invalid(path, 'current-directory segment (".")', "Leave it out.");
  }
  checkSegments(path, segments, processLimits.maxPathDepth);
  return path as FilePath;
}

/** The same for a directory, where "" is the root. */
export function parseDirectory(path: string): FilePath | "" {
  return path === "" ? "" : parseFilePath(path);
}

/** Checks the storage form. Errors: invalid_path names the broken rule. */
export function validatePath(path: string): void {
  parseFilePath(path);
}

/** Parses the agent form and normalises it: "//a/./b/" is "/a/b", the root is "/". Errors: invalid_path names the broken rule. Limits: 512 bytes after the first slash. */
export function parseAgentPath(path: string, options: { readonly maxDepth?: number } = {}): string {
  checkRaw(path, { maxChars: MAX_RAW_PATH_CHARS, advice: AGENT_FORM });
  if (path === "") throw invalid(path, "empty path", AGENT_FORM);
  if (!path.startsWith("/")) throw invalid(path, "relative path", `Paths are absolute: start with a slash, as in ${escapeText(`/${path}`, 60)}.`);
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  checkSegments(path, segments, Math.min(options.maxDepth ?? processLimits.maxPathDepth, MAX_PATH_SEGMENTS));
  return `/${segments.join("/")}`;
}

/** The storage form of a parsed agent path. */
export function toFilePath(agentPath: string): FilePath | "" {
  return agentPath.slice(1) as FilePath | "";
}

/** The agent form of a storage path; an agent path stays as it is. */
export function toAgentPath(path: string): string {
  return shownPath(path);
}

function checkRaw(path: string, form: { readonly maxChars: number; readonly advice: string }): void {
  if (typeof path !== "string") throw new HangoError("invalid_path", `Invalid path: not a string (${path === null ? "null" : typeof path}). ${form.advice}`);
  if (path.length > form.maxChars) throw tooLong(path);
  const forbidden = forbiddenCharacter(path);
  if (forbidden !== undefined) throw invalid(path, forbidden, "Leave it out of the name.");
  if (path.includes("\\")) throw invalid(path, "backslash", "Separate names with a forward slash.");
}

function checkSegments(path: string, segments: readonly string[], maxDepth: number): void {
  let bytes = segments.length - 1;
  for (const segment of segments) {
    if (segment === "..") throw invalid(path, 'parent-directory segment ("..")', "Name the directory itself.");
    const size = utf8Length(segment);
    if (size > MAX_SEGMENT_BYTES) throw invalid(path, `a name of ${size} bytes`, `A name may have at most ${MAX_SEGMENT_BYTES} bytes of UTF-8.`);
    bytes += size;
  }
  if (bytes > MAX_PATH_BYTES) throw tooLong(path);
  if (segments.length > maxDepth) throw invalid(path, `${segments.length} segments`, `A path may have at most ${maxDepth}.`);
}

function tooLong(path: string): HangoError {
  return invalid(path, `longer than ${MAX_PATH_BYTES} bytes of UTF-8`, "Use a shorter path.");
}

function invalid(path: string, rule: string, advice: string): HangoError {
  return new HangoError("invalid_path", `Invalid path ${quoteText(path)}: ${rule}. ${advice}`, { path: shownPath(escapeText(path, MAX_PATH_BYTES)) });
}

/** Orders paths by their UTF-8 bytes, which is code point order; JavaScript's own order puts U+FF61 after an emoji. */
export function comparePaths(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above U+FFFF, so they rank after U+E000–U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** True when the path is strictly below the directory; everything is below "". Storage form. */
export function isBelow(path: string, directory: string): boolean {
  if (directory === "") return path !== "";
  return path.length > directory.length + 1 && path.charCodeAt(directory.length) === 0x2f && path.startsWith(directory);
}

/** The same, or the directory itself. */
export function isAtOrBelow(path: string, directory: string): boolean {
  return path === directory || isBelow(path, directory);
}

/** The directories above a path, from the top: a, a/b for a/b/c. */
export function ancestorsOf(path: string): FilePath[] {
  const ancestors: FilePath[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) ancestors.push(path.slice(0, at) as FilePath);
  return ancestors;
}

/** The last segment, in either form; "" for the root. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The directory a storage path stands in; "" is the root. */
export function parentOf(path: string): FilePath | "" {
  return path.slice(0, Math.max(0, path.lastIndexOf("/"))) as FilePath | "";
}
