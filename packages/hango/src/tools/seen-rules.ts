/** What the tools remember of each file they show or write, and what a stale change is answered with. */
import { isVersion } from "../contract/check-options.ts";
import { HangoError, isHangoError } from "../errors.ts";
import { namePaths } from "../contract/refusals.ts";
import { MAX_SEEN_TEXT_BYTES } from "../limits.ts";
import { parseAgentPath, toFilePath } from "../path/path.ts";
import type { FilePath, Version } from "../storage.ts";
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

/** The version last seen. Errors: unavailable when the store fails, before anything is changed. */
async function seenVersion(path: string, { parts, call }: ToolContext): Promise<Version | undefined> {
  try {
    const kept: unknown = await parts.seen.get(path);
    // A store over a cache may say null for nothing, or have another's value: what is not a version was never seen.
    return isVersion(kept) ? kept : undefined;
  } catch (error) {
    call.signal?.throwIfAborted();
    const message = `What this session has seen of ${path} could not be looked up, so nothing was changed. Retry in a moment.`;
    throw new HangoError("unavailable", message, { path, cause: error });
  }
}

/** What an answer adds when the store of what was seen failed after the work was done: a notice, because the work stands. */
export type SeenNotice = readonly string[];

async function keep(change: () => Promise<void>): Promise<SeenNotice> {
  try {
    await change();
    return [];
  } catch {
    // The answer tells the model, and a version that is too old is a conflict, never an overwrite.
    return ["(it could not be kept that you have seen this; read the file again before you change it)"];
  }
}

/** Remembers a version; with the text, also what was shown, when that was the whole file. */
export async function remember(
  path: string,
  seen: { readonly version: Version; readonly text: string | undefined },
  { parts }: ToolContext,
): Promise<SeenNotice> {
  if (seen.text === undefined) {
    // Another part of the same version leaves what is known of it.
    if (parts.texts.get(path, seen.version) === undefined) parts.texts.delete(path);
  } else parts.texts.set(path, seen.version, seen.text);
  return keep(() => parts.seen.set(path, seen.version));
}

export async function forget(path: string, { parts }: ToolContext): Promise<SeenNotice> {
  parts.texts.delete(path);
  return keep(() => parts.seen.delete(path));
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
  const version = await seenVersion(path, context);
  try {
    return await change(version);
  } catch (error) {
    // A file that was seen and is gone is a stale version like any other.
    // A conflict that names files below is about those, not about this path.
    if (isHangoError(error) && error.details?.["paths"] !== undefined) throw error;
    if (version === undefined || !(isHangoError(error, "conflict") || isHangoError(error, "not_found"))) throw error;
    throw await explainConflict(path, { error, version }, context);
  }
}

/** The answer to a write over a file that was never shown: it is read first, or where no read can show it, what else there is to do. */
export async function explainUnseen(path: string, error: HangoError, context: ToolContext): Promise<HangoError> {
  const { parts } = context;
  const wayOn = async (): Promise<string> => {
    if (parts.readMode(toFilePath(path) as FilePath) === "deny")
      return ", and a rule of this session denies reading it, so it can't be replaced. Write to another path.";
    if (!(await isBinary(path, context))) return "; read it first, then write it.";
    const next = parts.tools.includes("delete_file") ? "Delete it with delete_file and then write, or write to another path." : "Write to another path.";
    return ` and is binary: it can't be read or replaced as text, only deleted. ${next}`;
  };
  return new HangoError("already_exists", `${path} exists${await wayOn()}`, { path, details: { ...error.details }, cause: error });
}

async function isBinary(path: string, { session, parts, call }: ToolContext): Promise<boolean> {
  // Where reading asks a person, the model's own read is what they are asked about.
  if (parts.readMode(toFilePath(path) as FilePath) !== "allow") return false;
  try {
    await session.fs.read(path, { ...call, limit: 1 });
    return false;
  } catch (error) {
    // Any other failure is what the model's own read will tell.
    if (isHangoError(error)) return isHangoError(error, "not_text");
    throw error;
  }
}

/** A file below a directory, in agent form. */
export interface SeenBelow {
  readonly path: string;
  readonly version: Version;
}

/** Refuses to delete a tree when this session has seen some file of it at another version. Errors: conflict, naming them. */
export async function refuseStaleBelow(directory: string, files: readonly SeenBelow[], context: ToolContext): Promise<void> {
  const stale: string[] = [];
  for (const { path, version } of files) {
    context.call.signal?.throwIfAborted();
    const seen = await seenVersion(path, context);
    if (seen !== undefined && seen !== version) stale.push(path);
  }
  if (stale.length === 0) return;
  const message = `Nothing was deleted below ${directory}: ${namePaths(stale)} changed since you read ${stale.length === 1 ? "it" : "them"}; re-read and retry.`;
  throw new HangoError("conflict", message, { path: directory, details: { paths: stale } });
}

async function explainConflict(path: string, stale: { readonly error: HangoError; readonly version: Version }, context: ToolContext): Promise<HangoError> {
  const { error, version } = stale;
  const gone = error.details?.["currentVersion"] === undefined;
  const message = `${path}${gone ? " was deleted" : ": the file changed"} since you read it; re-read and retry.`;
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
