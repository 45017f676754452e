import { HangoError, isObject } from "../errors.ts";
import { parseFilePath } from "../path/path.ts";
import type { FileEvent } from "../storage.ts";
import { isShortText, MAX_RECORD_TEXT_CHARS } from "./check-options.ts";

const ACTIONS: ReadonlySet<unknown> = new Set<FileEvent["action"]>(["file.write", "file.delete"]);
const OUTCOMES: ReadonlySet<unknown> = new Set<FileEvent["outcome"]>(["ok", "denied", "failed"]);

/** Answers the row with a parsed path. Errors: invalid_path; invalid_argument naming the part that is wrong. */
export function checkEvent(event: FileEvent): FileEvent {
  if (!isObject(event)) throw new HangoError("invalid_argument", "record takes { action, outcome, path }.");
  if (!ACTIONS.has(event.action)) throw new HangoError("invalid_argument", "A recorded event's action is file.write or file.delete.");
  if (!OUTCOMES.has(event.outcome)) throw new HangoError("invalid_argument", "A recorded event's outcome is ok, denied or failed.");
  if (event.reason !== undefined && !isShortText(event.reason))
    throw new HangoError("invalid_argument", `A recorded event's reason must be text of at most ${MAX_RECORD_TEXT_CHARS} characters.`);
  return { ...event, path: parseFilePath(event.path) };
}
