/** A cursor over the code points of a pattern; every error it makes carries the offset. */
import type { HangoError } from "../../errors.ts";
import { isSurrogate, LF, MAX_CODE_POINT } from "./classes.ts";
import { invalidPattern } from "./pattern-error.ts";

export interface Reader {
  readonly ignoreCase: boolean;
  /** Offset of the next character, in code points. */
  at: number;
  /** The character `ahead` places on; "" past the end. */
  readonly peek: (ahead?: number) => string;
  /** The next character, passed over; "" at the end. */
  readonly take: () => string;
  /** Passes over the text when it comes next. */
  readonly eat: (text: string) => boolean;
  /** Passes over what the predicate holds for, at most `max` characters. */
  readonly takeWhile: (holds: (character: string) => boolean, max?: number) => string;
  readonly error: (problem: string, offset?: number) => HangoError;
}

/** Opens a pattern. Errors: invalid_pattern for LF, NUL or half of a pair anywhere in it. */
export function createReader(source: string, characters: readonly string[], ignoreCase: boolean): Reader {
  const reader: Reader = {
    ignoreCase,
    at: 0,
    peek: (ahead = 0) => characters[reader.at + ahead] ?? "",
    take: () => characters[reader.at++] ?? "",
    eat: (text) => {
      if ([...text].some((character, i) => reader.peek(i) !== character)) return false;
      reader.at += text.length;
      return true;
    },
    takeWhile: (holds, max = Infinity) => {
      let out = "";
      for (let n = 0; n < max && reader.peek() !== "" && holds(reader.peek()); n++) out += reader.take();
      return out;
    },
    error: (problem, offset = reader.at) => invalidPattern(source, problem, offset),
  };
  characters.forEach((character, offset) => {
    const problem = unusableCharacter(character);
    if (problem !== undefined) throw reader.error(problem, offset);
  });
  return reader;
}

/** Why a character can't be part of a pattern or a literal; undefined when it can. */
export function unusableCharacter(character: string): string | undefined {
  const codePoint = character.codePointAt(0) as number;
  if (codePoint === LF) return "it holds a line end, but grep is line-wise: search for one line at a time";
  if (codePoint === 0) return "it holds a NUL character, which no text file has";
  return isSurrogate(codePoint) ? "it holds half of a surrogate pair, which is no character" : undefined;
}

function within(character: string, ...spans: readonly string[]): boolean {
  return spans.some((span) => character >= (span[0] as string) && character <= (span.at(-1) as string));
}

/** These take one character as the reader gives it: a code point, or "" at the end. */
export function isDigit(character: string): boolean {
  return character.length === 1 && within(character, "09");
}

export function isHex(character: string): boolean {
  return character.length === 1 && within(character, "09", "AF", "af");
}

export function isWord(character: string): boolean {
  return character.length === 1 && within(character, "09", "AZ", "_", "az");
}

/** ASCII that is neither letter, digit, space nor control: what a backslash makes literal. */
export function isPunctuation(character: string): boolean {
  return character.length === 1 && within(character, "!/", ":@", "[`", "{~");
}

/** The code point of hex digits. Errors: invalid_pattern over U+10FFFF or for half of a pair. */
export function codePointFromHex(reader: Reader, digits: string, offset: number): number {
  const value = Number.parseInt(digits, 16);
  if (value > MAX_CODE_POINT) throw reader.error("a code point goes up to 10FFFF", offset);
  if (isSurrogate(value)) throw reader.error("D800 to DFFF are halves of surrogate pairs, not characters", offset);
  return value;
}
