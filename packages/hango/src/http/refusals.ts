/** Every refusal of a change is on record before its answer goes out. */
import { HangoError, isHangoError } from "../errors.ts";
import { sha256Hex } from "../path/sha256.ts";
import type { FileEvent, FilePath } from "../storage.ts";
import { escapeText } from "../text/quote.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { callerKey } from "./caller-key.ts";
import { originOf, type AgentCall, type Door } from "./door.ts";
import { statusFor } from "./problem.ts";
import { decodeFilePath } from "./target.ts";

/** Characters of a target that the record keeps when it names no file. */
const SHOWN_TARGET_CHARS = 200;
const SHOWN_REASON_CHARS = 240;
const HASH_DIGITS = 32;

/**
 * Runs a change. What may not be done is recorded `denied` (400, 403), what can't be done as things stand `failed` (a stale
 * version, a missing precondition, a size, a quota). Errors: unavailable when the refusal can't be recorded, and with `busy` for a person
 * who was refused too often this minute.
 */
export async function recordingRefusals(
  door: Door,
  call: AgentCall,
  change: { readonly action: FileEvent["action"]; readonly segments: readonly string[]; readonly run: () => Promise<Response> },
): Promise<Response> {
  door.rates.refusals.check(callerKey(call.principal), "Too many of your changes were refused, so no more are tried");
  try {
    return await change.run();
  } catch (error) {
    if (isHangoError(error)) await recordRefusal(door, call, { ...change, error });
    throw error;
  }
}

async function recordRefusal(
  door: Door,
  call: AgentCall,
  refusal: { readonly action: FileEvent["action"]; readonly segments: readonly string[]; readonly error: HangoError },
): Promise<void> {
  const { action, segments, error } = refusal;
  const { status } = statusFor(error);
  if (status >= 500 && error.code !== "quota_exceeded") return;
  const files = door.storage.scope({ tenantId: call.agent.tenantId, agentId: call.agent.id });
  if (files.record === undefined) return;
  const outcome = status === 400 || status === 403 ? "denied" : "failed";
  try {
    door.rates.refusals.count(callerKey(call.principal));
    await files.record({ action, outcome, ...recordable(segments, error) }, { origin: originOf(call) });
  } catch (cause) {
    throw new HangoError("unavailable", "The call was refused, and that could not be recorded. Retry in a moment.", { op: "record", cause });
  }
}

/** A target that names no file is kept as the hash of it, beside its beginning: the record holds only paths that could be. */
function recordable(segments: readonly string[], error: HangoError): Pick<FileEvent, "path" | "reason"> {
  const reason = `${error.code}: ${escapeText(error.message, SHOWN_REASON_CHARS)}`;
  const path = pathOrUndefined(segments);
  if (path !== undefined) return { path, reason };
  const target = segments.join("/");
  const hash = sha256Hex(encodeUtf8(target)).slice(0, HASH_DIGITS);
  return { path: `invalid-path-${hash}`, reason: `${reason} Sent as ${escapeText(target, SHOWN_TARGET_CHARS)}`.slice(0, 512) };
}

function pathOrUndefined(segments: readonly string[]): FilePath | undefined {
  try {
    return decodeFilePath(segments);
  } catch (error) {
    if (isHangoError(error, "invalid_path")) return undefined;
    throw error;
  }
}
