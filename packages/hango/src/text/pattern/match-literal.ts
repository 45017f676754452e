/**
 * Knuth-Morris-Pratt with the strong failure function: linear for every text and every needle, where V8's own `indexOf` is
 * quadratic. Without `ignoreCase` over UTF-16 units (a match of well-formed text never begins inside a pair), with it over folded code points.
 */
import { failures, type Failures } from "../find.ts";
import { CR, LF, BYTE_ORDER_MARK } from "./classes.ts";
import { foldCodePoint } from "./fold.ts";
import type { Position } from "./scan.ts";
import { CHARS_PER_UNIT } from "./work.ts";

export interface Needle {
  readonly folded: boolean;
  readonly symbols: Uint32Array;
  readonly failures: Failures;
}

export function createNeedle(text: string, ignoreCase: boolean): Needle {
  const symbols = ignoreCase
    ? Uint32Array.from([...text], (character) => foldCodePoint(character.codePointAt(0) as number))
    : Uint32Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return { folded: ignoreCase, symbols, failures: failures(symbols) };
}

/** How much of the needle has been matched. */
export interface NeedleProgress {
  length: number;
}

/**
 * Reads on until a match is complete, and answers the index where it starts; -1 when the text or about `room` units of work are over.
 * A match is in the line at `position`, `position.at` is behind it.
 */
export function scanNeedle(needle: Needle, text: string, position: Position, progress: NeedleProgress, room: number): number {
  const { folded, symbols } = needle;
  const { border, strong } = needle.failures;
  const stop = Math.min(text.length, position.at + room * CHARS_PER_UNIT);
  let { at } = position;
  let matched = progress.length;
  let start = -1;
  while (at < stop) {
    let symbol = text.charCodeAt(at);
    let width = 1;
    if (folded) {
      const codePoint = text.codePointAt(at) as number;
      if (codePoint > 0xffff) width = 2;
      symbol = foldCodePoint(codePoint);
    }
    while (matched >= 0 && symbols[matched] !== symbol) matched = strong[matched] as number;
    matched++;
    at += width;
    if (symbol === LF) {
      position.line++;
      position.lineStart = at;
    }
    if (matched < symbols.length) continue;
    matched = border;
    // The CR of a CRLF is no part of the line.
    if (symbol === CR && text.charCodeAt(at) === LF) continue;
    start = startOf(needle, text, at);
    break;
  }
  position.at = at;
  progress.length = matched;
  return start;
}

function startOf(needle: Needle, text: string, end: number): number {
  if (!needle.folded) return end - needle.symbols.length;
  let start = end;
  for (let n = 0; n < needle.symbols.length; n++) {
    start--;
    const unit = text.charCodeAt(start);
    if (unit >= 0xdc00 && unit <= 0xdfff && start > 0 && (text.codePointAt(start - 1) as number) > 0xffff) start--;
  }
  return start;
}

/** Where the first line begins: a byte order mark at the very start is no part of it. */
export function firstLineStart(text: string): number {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
}
