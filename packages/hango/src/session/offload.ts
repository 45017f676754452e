/** Large-result offload: a result too big for the context goes to a file, and the model sees a short preview of it. */
import { HangoError, isHangoError, shownPath } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { toFilePath } from "../path/path.ts";
import { offloadDirectory } from "../path/reserved.ts";
import { hex, sha256Hex } from "../path/sha256.ts";
import type { CallOptions, Storage } from "../storage.ts";
import { sameBytes } from "../text/same-bytes.ts";
import { countLines } from "../text/lines.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { printPreview } from "./preview.ts";
import { safeId, safeName, safeToolName } from "./safe-text.ts";
import type { Estimator, Part, Session, ToolName, ToolResult } from "./vocabulary.ts";

export interface OffloadOptions {
  /** Guarded for the system actor. */
  readonly storage: Storage | undefined;
  readonly sessionId: string | undefined;
  readonly limits: Limits;
  readonly estimator: Estimator;
  readonly tools: readonly ToolName[];
}

/** Hexadecimal digits of the hash in a slug: 64 bits. */
const HASH_DIGITS = 16;
/** Bytes kept free for the mark between a head and a tail. */
const MARK_BYTES = 64;

/**
 * Makes the `offload` of a session. A result that its preview would not make smaller stays as it is.
 * Errors: only an abort is thrown; a store that fails gives a preview that says so.
 */
export function createOffload(options: OffloadOptions): Session["offload"] {
  const { limits, estimator, tools } = options;
  return async (result, call) => {
    const original = textOf(result.forModel);
    const tokensBefore = estimator.estimate(original);
    if (tokensBefore <= limits.toolResultTokens) return result;
    const whole = encodeUtf8(repair(original));
    const bytes = headAndTail(whole, limits.maxOffloadBytes);
    const stored = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const facts = {
      toolName: safeToolName(call.toolName),
      sizeBytes: whole.length,
      totalLines: countLines(original),
      tokens: tokensBefore,
      cut: bytes.length < whole.length,
      tools,
    };
    const print = (place: { readonly path?: string }): { readonly preview: string; readonly tokensAfter: number } => {
      const preview = printPreview(stored, { ...facts, ...place });
      return { preview, tokensAfter: estimator.estimate(preview) };
    };
    const place = await placeFor(options, call.toolCallId, original);
    const planned = print(place);
    // Nothing is stored that no preview will name.
    if (planned.tokensAfter >= tokensBefore) return result;
    const saved = await save(options, { ...call, ...place, bytes });
    const { preview, tokensAfter } = saved.path === undefined ? print({}) : planned;
    if (tokensAfter >= tokensBefore) return result;
    const offload = { ...saved, tokensBefore, tokensAfter, saved: saved.path !== undefined };
    return {
      ...result,
      forModel: withText(result.forModel, preview),
      forUser: result.forUser ?? saved.path ?? original,
      details: { ...result.details, offload },
    };
  };
}

function textOf(forModel: ToolResult["forModel"]): string {
  if (typeof forModel === "string") return forModel;
  return forModel
    .filter(isText)
    .map(({ text }) => text)
    .join("\n");
}

function isText(part: Part): part is { readonly type: "text"; readonly text: string } {
  return part.type === "text" && typeof (part as { readonly text?: unknown }).text === "string";
}

/** The preview takes the first text's place; what is not text stays where it is. */
function withText(forModel: ToolResult["forModel"], preview: string): ToolResult["forModel"] {
  if (typeof forModel === "string") return preview;
  const first = forModel.findIndex(isText);
  return forModel.flatMap((part, index) => (index === first ? [{ ...part, text: preview }] : isText(part) ? [] : [part]));
}

/** A file holds text: NUL becomes its visible sign, half a character the replacement character. */
function repair(text: string): string {
  return text.replaceAll("\0", "\u2400").toWellFormed();
}

function headAndTail(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  const half = Math.floor(Math.max(0, maxBytes - MARK_BYTES) / 2);
  const headEnd = characterStart(bytes, half);
  let tailStart = bytes.length - half;
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart += 1;
  const mark = encodeUtf8(`\n[${tailStart - headEnd} bytes left out]\n`);
  const kept = new Uint8Array(headEnd + mark.length + bytes.length - tailStart);
  kept.set(bytes.subarray(0, headEnd));
  kept.set(mark, headEnd);
  kept.set(bytes.subarray(tailStart), headEnd + mark.length);
  return kept.length <= maxBytes ? kept : bytes.subarray(0, characterStart(bytes, maxBytes));
}

function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && isContinuation(bytes[start])) start -= 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

interface Saving {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly signal?: AbortSignal;
  /** Agent form. */
  readonly path?: string;
  readonly bytes: Uint8Array;
}

/** Where a result goes, in agent form; nowhere without a session. */
async function placeFor({ storage, sessionId }: OffloadOptions, toolCallId: string, original: string): Promise<{ readonly path?: string }> {
  if (storage === undefined || sessionId === undefined) return {};
  return { path: shownPath(`${offloadDirectory(sessionId)}/${await slugOf(toolCallId, original)}`) };
}

/** The same call with the same text always has the same name, and no other has it: the hash covers the id and the text. */
async function slugOf(toolCallId: string, original: string): Promise<string> {
  const hash = (await digestOf(encodeUtf8(`${toolCallId}\0${original}`))).slice(0, HASH_DIGITS);
  return `${safeName(toolCallId)}-${hash}`.replace(/^-/, "");
}

/** WebCrypto keeps a large text off the event loop. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  try {
    const digest = await globalThis.crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
    return Array.from(new Uint8Array(digest), (byte) => hex(byte, 2)).join("");
  } catch {
    // A page without a secure context has none; there, or where it refuses to work, the plain one gives the same digest.
    return sha256Hex(bytes);
  }
}

async function save({ storage }: OffloadOptions, saving: Saving): Promise<{ readonly path?: string; readonly error?: string }> {
  const { signal, bytes, path } = saving;
  if (storage === undefined || path === undefined) return { error: "no session" };
  const call: CallOptions = {
    ...(signal === undefined ? {} : { signal }),
    origin: { actor: "system", tool: safeId(saving.toolName), toolCallId: safeId(saving.toolCallId) },
  };
  try {
    await createOnce(storage, toFilePath(path), bytes, call);
    return { path };
  } catch (error) {
    signal?.throwIfAborted();
    return { error: isHangoError(error) ? error.code : "internal" };
  }
}

async function createOnce(storage: Storage, path: string, bytes: Uint8Array, call: CallOptions): Promise<void> {
  try {
    await storage.write(path, bytes, { ...call, ifVersion: "absent" });
  } catch (error) {
    if (isHangoError(error, "unsupported")) {
      await storage.write(path, bytes, call);
      return;
    }
    if (!isHangoError(error, "already_exists")) throw error;
    // A replay of the same call: what is there must be what would have been written.
    const { bytes: there } = await storage.read(path, call);
    if (!sameBytes(there, bytes)) throw new HangoError("conflict", `${shownPath(path)} holds another result.`, { path: shownPath(path), cause: error });
  }
}
