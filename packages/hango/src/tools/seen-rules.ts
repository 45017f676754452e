/** What the tools remember of each file they show or write, and what a stale change is answered with. */
import { HangoError, isHangoError } from "../errors.ts";
import { MAX_SEEN_TEXT_BYTES } from "../limits.ts";
import { parseAgentPath, toFilePath } from "../path/path.ts";
import type { Version } from "../storage.ts";
import { shortDiff } from "../text/diff.ts";
import { splitLines } from "../text/lines.ts";
import { replaceExact } from "../text/replace.ts";
import { decodeText } from "../text/utf8.ts";
import type { ToolContext } from "./tool.ts";

/** Units of the diff in a conflict; a longer one is cut on whole lines. */
const CONFLICT_DIFF_CHARS = 4_000;

export function agentPath(path: string, { parts }: ToolContext): string {
  return parseAgentPath(path, { maxDepth: parts.limits.maxPathDepth });
}

/** Remembers a version; with the text, also what was shown, when that was the whole file. */
export async function remember(path: string, seen: { readonly version: Version; readonly text?: string }, { parts }: ToolContext): Promise<void> {
  if (seen.text === undefined) {
    // Another part of the same version leaves what is known of it.
    if (parts.texts.get(path, seen.version) === undefined) parts.texts.delete(path);
  } else parts.texts.set(path, seen.version, seen.text);
  await parts.seen.set(path, seen.version);
}

export async function forget(path: string, { parts }: ToolContext): Promise<void> {
  parts.texts.delete(path);
  await parts.seen.delete(path);
}

/** The text as read_file shows it, so that two of them differ only where the model can see it. */
export function textAsShown(text: string): string {
  return splitLines(text)
    .map((line) => `${line}\n`)
    .join("");
}

/** What the model knows of a file after its own edit: the text it was shown, edited alike. Undefined when that is not at hand. */
export function textAfterEdit(
  path: string,
  edit: { readonly seen: Version | undefined; readonly oldText: string; readonly newText: string; readonly replaceAll: boolean },
  { parts }: ToolContext,
): string | undefined {
  const before = edit.seen === undefined ? undefined : parts.texts.get(path, edit.seen);
  if (before === undefined) return undefined;
  try {
    return textAsShown(replaceExact(before, edit.oldText, edit.newText, { replaceAll: edit.replaceAll, path }).text);
  } catch (error) {
    // The strings named the stored bytes (a CR, a byte order mark), which the text as shown does not have.
    if (isHangoError(error)) return undefined;
    throw error;
  }
}

/** Runs a change against the version last seen. A stale one tells what changed since, when both texts are at hand. */
export async function overSeen<T>(path: string, context: ToolContext, change: (version: Version | undefined) => Promise<T>): Promise<T> {
  const version = await context.parts.seen.get(path);
  try {
    return await change(version);
  } catch (error) {
    // A file that was seen and is gone is a stale version like any other.
    if (version === undefined || !(isHangoError(error, "conflict") || isHangoError(error, "not_found"))) throw error;
    throw await explainConflict(path, { error, version }, context);
  }
}

async function explainConflict(path: string, stale: { readonly error: HangoError; readonly version: Version }, context: ToolContext): Promise<HangoError> {
  const { error, version } = stale;
  const gone = error.details?.["currentVersion"] === undefined;
  const message = gone ? `${path} was deleted since you read it; re-read and retry.` : `${path}: the file changed since you read it; re-read and retry.`;
  const diff = gone ? "" : await diffSinceSeen(path, version, context);
  return new HangoError("conflict", diff === "" ? message : `${message}\nWhat changed:\n${diff}`, { path, details: { ...error.details }, cause: error });
}

async function diffSinceSeen(path: string, version: Version, { session, parts, call }: ToolContext): Promise<string> {
  const before = parts.texts.get(path, version);
  if (before === undefined) return "";
  try {
    const { bytes } = await session.storage.read(toFilePath(path), call);
    const after = bytes.length > MAX_SEEN_TEXT_BYTES ? undefined : decodeText(bytes);
    return after === undefined ? "" : shortDiff(path, before, textAsShown(after), CONFLICT_DIFF_CHARS);
  } catch (error) {
    // The file may go between the conflict and this read; the conflict is the answer either way.
    if (isHangoError(error)) return "";
    throw error;
  }
}
