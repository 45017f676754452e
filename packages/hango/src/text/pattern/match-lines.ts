/** Which lines of a content match, and where: our own machine, in slices, so that no pattern can stop the process. */
import { HangoError } from "../../errors.ts";
import { CR, LF } from "./classes.ts";
import { END_OF_LINE } from "./alphabet.ts";
import type { Machine, Walker } from "./machine.ts";
import { createMachine, START_STATE } from "./machine.ts";
import type { Needle } from "./match-literal.ts";
import { createNeedle, firstLineStart, scanNeedle } from "./match-literal.ts";
import type { Pattern } from "./pattern.ts";
import { literalText } from "./required.ts";
import type { Position } from "./scan.ts";
import { scanBackward, scanForward } from "./scan.ts";
import { reverse } from "./tree.ts";
import type { MatchWork } from "./work.ts";
import { CHARS_PER_UNIT, createMatchWork, endSlice, roomFor, spend } from "./work.ts";

/** Units: both from 1; the column is that of the leftmost match, in code points of the whole line. */
export interface LineMatch {
  readonly line: number;
  readonly column: number;
  /** Where the line begins in the content, in UTF-16 units. */
  readonly start: number;
}

export interface MatchLinesOptions {
  /** Matching lines to find at most. */
  readonly limit: number;
  /** Shared by all the files of a grep, so that the limit holds for the whole of it. Without it the content has its own. */
  readonly work?: MatchWork;
  /** For tests: states of the machine before it simulates. */
  readonly maxStates?: number;
}

type Matcher = { readonly needle: Needle } | { readonly forward: Machine; readonly backward: Machine };

/** A pattern is compiled once for all the files it is tried on, and its states are kept as long as it is. */
const matchers = new WeakMap<Pattern, Matcher>();

/** `includes` is quadratic in the needle; at this length that is bounded. */
const MAX_INCLUDES = 32;
const INCLUDES_CHARS_PER_UNIT = 4;

function createMatcher(pattern: Pattern, maxStates: number | undefined): Matcher {
  const text = pattern.literal ? pattern.source : literalText(pattern.tree);
  if (text !== undefined) return { needle: createNeedle(text, pattern.literal && pattern.ignoreCase) };
  return { forward: createMachine(pattern.tree, maxStates), backward: createMachine(reverse(pattern.tree), maxStates) };
}

function matcherFor(pattern: Pattern, maxStates: number | undefined): Matcher {
  if (maxStates !== undefined) return createMatcher(pattern, maxStates);
  const matcher = matchers.get(pattern) ?? createMatcher(pattern, undefined);
  matchers.set(pattern, matcher);
  return matcher;
}

/**
 * Finds the matching lines in order, at most `limit`; a line counts once. Yields after each slice of work, for the caller to give way.
 * Lines end at LF; a byte order mark at the very start and the CR of a CRLF are no part of them; a final LF opens no line.
 * Errors: timeout once 200 M units of work are spent, or the time that `work` has.
 */
export function* matchLines(pattern: Pattern, content: string, options: MatchLinesOptions): Generator<void, readonly LineMatch[]> {
  const { limit, work = createMatchWork() } = options;
  try {
    if (limit < 1 || !(yield* hasRequired(pattern, content, work))) return [];
    const matcher = matcherFor(pattern, options.maxStates);
    return "needle" in matcher
      ? yield* matchNeedle(pattern, matcher.needle, content, limit, work)
      : yield* matchMachine(pattern, matcher, content, limit, work);
  } finally {
    endSlice(work);
  }
}

function* hasRequired(pattern: Pattern, content: string, work: MatchWork): Generator<void, boolean> {
  const needle = pattern.required.slice(0, MAX_INCLUDES);
  if (needle === "") return true;
  for (let from = 0; from < content.length;) {
    const size = roomFor(work) * INCLUDES_CHARS_PER_UNIT;
    const chunk = content.slice(from, from + size + needle.length - 1);
    const found = chunk.includes(needle);
    if (spend(work, chunk.length / INCLUDES_CHARS_PER_UNIT, pattern)) yield;
    if (found) return true;
    from += size;
  }
  return false;
}

function* matchNeedle(pattern: Pattern, needle: Needle, content: string, limit: number, work: MatchWork): Generator<void, readonly LineMatch[]> {
  const position = startPosition(content);
  const progress = { length: 0 };
  const found: LineMatch[] = [];
  while (position.at < content.length && found.length < limit) {
    const from = position.at;
    const start = scanNeedle(needle, content, position, progress, roomFor(work));
    if (spend(work, (position.at - from) / CHARS_PER_UNIT, pattern)) yield;
    if (start < 0) continue;
    const { line, lineStart } = position;
    found.push({ line, column: yield* columnOf(pattern, content, lineStart, start, work), start: lineStart });
    skipLine(content, position);
    progress.length = 0;
  }
  return found;
}

function* matchMachine(
  pattern: Pattern,
  machines: { readonly forward: Machine; readonly backward: Machine },
  content: string,
  limit: number,
  work: MatchWork,
): Generator<void, readonly LineMatch[]> {
  const { forward, backward } = machines;
  const position = startPosition(content);
  const found: LineMatch[] = [];
  const endsOpen = content !== "" && content.charCodeAt(content.length - 1) !== LF;
  const walker = forward.createWalker();
  const backwardWalker = backward.createWalker();
  for (let isOpen = position.at < content.length || endsOpen; isOpen && found.length < limit;) {
    const from = position.at;
    const visited = walker.visited;
    let matched = scanForward(forward, walker, content, position, roomFor(work));
    if (position.at >= content.length && !matched) {
      isOpen = false;
      matched = endsOpen && walker.step(END_OF_LINE);
    }
    if (spend(work, (position.at - from) / CHARS_PER_UNIT + walker.visited - visited, pattern)) yield;
    if (!matched) continue;
    const { line, lineStart } = position;
    const lineEnd = skipLine(content, position);
    const start = yield* leftmostStart(pattern, backward, backwardWalker, content, { lineStart, lineEnd, work });
    found.push({ line, column: yield* columnOf(pattern, content, lineStart, start, work), start: lineStart });
    isOpen = position.at < content.length;
    walker.state = START_STATE;
  }
  return found;
}

/** Reads a matching line backwards with the reversed pattern: the last place where that matches is where the leftmost match starts. */
function* leftmostStart(
  pattern: Pattern,
  machine: Machine,
  walker: Walker,
  content: string,
  { lineStart, lineEnd, work }: { readonly lineStart: number; readonly lineEnd: number; readonly work: MatchWork },
): Generator<void, number> {
  const position = { at: lineEnd, matchStart: -1 };
  for (let done = false; !done;) {
    const from = position.at;
    const visited = walker.visited;
    done = scanBackward(machine, walker, content, lineStart, position, roomFor(work));
    if (spend(work, (from - position.at) / CHARS_PER_UNIT + walker.visited - visited, pattern)) yield;
  }
  if (position.matchStart < 0)
    throw new HangoError("internal", "A line that matches a pattern has no place where it does.", { op: "grep", details: { pattern: pattern.source } });
  return position.matchStart;
}

function startPosition(content: string): Position {
  const at = firstLineStart(content);
  return { at, line: 1, lineStart: at };
}

/** Moves to the start of the next line, or to the end; answers where the line that was left ends as matched. */
function skipLine(content: string, position: Position): number {
  const lf = content.indexOf("\n", position.at);
  const end = lf < 0 ? content.length : lf;
  const isCrlf = lf > position.lineStart && content.charCodeAt(lf - 1) === CR;
  position.at = lf < 0 ? content.length : lf + 1;
  position.line++;
  position.lineStart = position.at;
  return isCrlf ? end - 1 : end;
}

/** Counted in slices too: a line may be as long as a file. */
function* columnOf(pattern: Pattern, content: string, lineStart: number, index: number, work: MatchWork): Generator<void, number> {
  let column = 1;
  for (let at = lineStart; at < index;) {
    const from = at;
    const stop = Math.min(index, at + roomFor(work) * CHARS_PER_UNIT);
    for (; at < stop; column++) at += (content.codePointAt(at) as number) > 0xffff ? 2 : 1;
    if (spend(work, (at - from) / CHARS_PER_UNIT, pattern)) yield;
  }
  return column;
}
