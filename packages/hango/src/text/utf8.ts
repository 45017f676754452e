/** What is text and how long it is: valid UTF-8 without NUL; bytes for sizes, code points for characters. */
import { HangoError, shownPath } from "../errors.ts";

const encoder: TextEncoder = new TextEncoder();

/** Encodes as UTF-8. Call checkText first: a lone surrogate would silently become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes text, byte order mark included; undefined when the bytes are binary (not UTF-8, or with a NUL). */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    // ignoreBOM means "do not drop it": the stored bytes must come back whole.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Refuses what a text file can't hold. Errors: invalid_content for NUL or a lone surrogate, naming its line. */
export function checkText(text: string, path?: string): void {
  if (typeof text !== "string") throw refused(`content must be a string, not ${text === null ? "null" : typeof text}.`, path);
  const nul = text.indexOf("\0");
  if (nul >= 0) throw refused(`the text has a NUL character in line ${lineOf(text, nul)}.`, path);
  if (text.isWellFormed()) return;
  throw refused(`the text has a lone surrogate (half of a character) in line ${lineOf(text, loneSurrogate(text))}.`, path);
}

function refused(what: string, path: string | undefined): HangoError {
  const shown = path === undefined ? undefined : shownPath(path);
  const message = `Not valid text${shown === undefined ? "" : ` for ${shown}`}: ${what} Send well-formed text without NUL.`;
  return new HangoError("invalid_content", message, shown === undefined ? {} : { path: shown });
}

/** The line, from 1, in which an index stands. */
export function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** The index of the first surrogate without its other half, or -1. */
export function loneSurrogate(text: string): number {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (pairAt(text, index)) index += 1;
    else return index;
  }
  return -1;
}

/** True when a whole surrogate pair starts at `index`. */
export function pairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** The end before which a text may be cut: never within a surrogate pair. */
export function wholeEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** Bytes of the text as UTF-8, without encoding it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (pairAt(text, index)) {
      bytes += 2;
      index += 1;
    } else bytes += 2;
  }
  return bytes;
}

/** Characters of the text, as code points. */
export function codePointLength(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    if (!pairAt(text, index)) continue;
    count -= 1;
    index += 1;
  }
  return count;
}

/** `count` code points from the zero-based `start`; never half a character. */
export function sliceCodePoints(text: string, start: number, count: number): string {
  const from = unitIndex(text, 0, start);
  return text.slice(from, unitIndex(text, from, count));
}

/** The UTF-16 index `count` code points after `from`, at most the end. */
function unitIndex(text: string, from: number, count: number): number {
  let index = from;
  for (let left = count; left > 0 && index < text.length; left--) index += pairAt(text, index) ? 2 : 1;
  return index;
}
