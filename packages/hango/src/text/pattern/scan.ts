/** The two loops over a text: forward to a line that matches, backward over that line to where its leftmost match starts. */
import { CR, LF } from "./classes.ts";
import { END_OF_LINE } from "./alphabet.ts";
import type { Machine, Walker } from "./machine.ts";
import { UNKNOWN } from "./machine.ts";
import { CHARS_PER_UNIT } from "./work.ts";

/** Units: indexes are UTF-16 units, `line` counts from 1. */
export interface Position {
  at: number;
  line: number;
  lineStart: number;
}

/**
 * Reads on until the line at `position` is known to match (true), or the text or about `room` units of work are over (false).
 * The end of a last line without LF is the caller's to feed: it is no character of the text.
 */
export function scanForward(machine: Machine, walker: Walker, text: string, position: Position, room: number): boolean {
  const { latin, symbolOf, size } = machine.alphabet;
  const stop = Math.min(text.length, position.at + room * CHARS_PER_UNIT);
  const maxVisited = walker.visited + room;
  let { at } = position;
  let { state, table } = walker;
  let matched = false;
  let isSpent = false;
  while (at < stop && !isSpent) {
    const unit = text.charCodeAt(at);
    let width = 1;
    let symbol: number;
    if (unit < 256) {
      symbol = latin[unit] as number;
      // A CR before LF is no part of the line.
      if (unit === CR && text.charCodeAt(at + 1) === LF) {
        symbol = END_OF_LINE;
        width = 2;
      }
    } else {
      const codePoint = text.codePointAt(at) as number;
      symbol = symbolOf(codePoint);
      if (codePoint > 0xffff) width = 2;
    }
    const entry = state < 0 ? UNKNOWN : (table[state * size + symbol] as number);
    if (entry !== UNKNOWN) {
      matched = ((entry - 1) & 1) === 1;
      state = (entry - 1) >> 1;
    } else {
      walker.state = state;
      matched = walker.step(symbol);
      state = walker.state;
      table = walker.table;
      isSpent = walker.visited >= maxVisited;
    }
    if (matched) break;
    at += width;
    if (symbol === END_OF_LINE) {
      position.line++;
      position.lineStart = at;
    }
  }
  position.at = at;
  walker.state = state;
  return matched;
}

/** A backward pass under way: where it stands, and the last place where the reversed pattern matched. */
export interface BackwardPosition {
  at: number;
  matchStart: number;
}

/** Reads back to `lineStart`, or for about `room` units of work; true when the line is done. The walker is one of the reversed tree's machine. */
export function scanBackward(machine: Machine, walker: Walker, text: string, lineStart: number, position: BackwardPosition, room: number): boolean {
  const { latin, symbolOf, size } = machine.alphabet;
  const stop = Math.max(lineStart, position.at - room * CHARS_PER_UNIT);
  const maxVisited = walker.visited + room;
  while (position.at > stop && walker.visited < maxVisited) {
    let codePoint = text.charCodeAt(position.at - 1);
    let width = 1;
    if (codePoint >= 0xdc00 && codePoint <= 0xdfff && position.at - 1 > lineStart) {
      const pair = text.codePointAt(position.at - 2) as number;
      if (pair > 0xffff) {
        codePoint = pair;
        width = 2;
      }
    }
    const symbol = codePoint < 256 ? (latin[codePoint] as number) : symbolOf(codePoint);
    const entry = walker.state < 0 ? UNKNOWN : (walker.table[walker.state * size + symbol] as number);
    let matched: boolean;
    if (entry !== UNKNOWN) {
      matched = ((entry - 1) & 1) === 1;
      walker.state = (entry - 1) >> 1;
    } else matched = walker.step(symbol);
    if (matched) position.matchStart = position.at;
    position.at -= width;
  }
  if (position.at > lineStart) return false;
  if (walker.step(END_OF_LINE)) position.matchStart = lineStart;
  return true;
}
