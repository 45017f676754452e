/** What a backslash may stand before, inside and outside a class. Everything else is an error that names it. */
import type { Ranges } from "./classes.ts";
import { escapeClasses } from "./classes.ts";
import type { Reader } from "./reader.ts";
import { codePointFromHex, isDigit, isHex, isPunctuation } from "./reader.ts";

/** One code point, or a whole class (`\d`). Not yet folded, not yet cut to what a line holds. */
export type Escape = { readonly codePoint: number } | { readonly ranges: Ranges };

const controls: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
]);

const UNICODE_CLASS = "Unicode classes are not the same on every storage; write [^\\x00-\\x7F] for what is not ASCII, or [[:alpha:]]";
const LINE_WISE = "grep is line-wise; ^ and $ are the ends of the line";

/** Escapes of other dialects, and what to write instead. */
const foreign: ReadonlyMap<string, string> = new Map([
  ["p", UNICODE_CLASS],
  ["P", UNICODE_CLASS],
  ["X", UNICODE_CLASS],
  ["A", LINE_WISE],
  ["z", LINE_WISE],
  ["Z", LINE_WISE],
  ["R", LINE_WISE],
  ["G", "matches do not continue one another"],
  ["K", "a match is a whole line; leave it out"],
  ["Q", "quoting is not part of the dialect; escape each character"],
  ["E", "quoting is not part of the dialect; escape each character"],
  ["e", "write \\x1B for the escape character"],
  ["a", "write \\x07 for the bell"],
  ["c", "write a control character as \\xHH"],
  ["k", "back-references are not supported"],
  ["g", "back-references are not supported"],
  ["0", "octal escapes are not supported; write \\xHH"],
]);

/** Reads on after a backslash at `start`. Errors: invalid_pattern. */
export function parseEscape(reader: Reader, start: number, place: "class" | "outside"): Escape {
  const letter = reader.take();
  if (letter === "") throw reader.error("it ends in a backslash; write \\\\ for a backslash", start);
  const ranges = escapeClasses.get(letter);
  if (ranges !== undefined) return { ranges };
  const control = controls.get(letter);
  if (control !== undefined) return { codePoint: control };
  if (letter === "x" || letter === "u") return { codePoint: parseHex(reader, letter, start) };
  if (place === "outside" && (letter === "<" || letter === ">"))
    throw reader.error(`\\${letter} is a word edge in some dialects and a plain ${letter} in others; write ${letter}, or \\b for a word edge`, start);
  if (letter === " " || isPunctuation(letter)) return { codePoint: letter.codePointAt(0) as number };
  if (place === "class" && (letter === "b" || letter === "B")) throw reader.error(`\\${letter} has no meaning in a class; write \\x08 for a backspace`, start);
  if (isDigit(letter) && letter !== "0") {
    const problem = place === "class" ? "octal escapes are not supported; write \\xHH" : "back-references are not supported";
    throw reader.error(`\\${letter}: ${problem}`, start);
  }
  throw reader.error(`\\${letter}: ${foreign.get(letter) ?? "this escape has no meaning here; only punctuation, _ and space may be escaped"}`, start);
}

function parseHex(reader: Reader, letter: "x" | "u", start: number): number {
  const width = letter === "x" ? 2 : 4;
  if (reader.eat("{")) {
    const digits = reader.takeWhile(isHex);
    if (digits === "" || !reader.eat("}")) throw reader.error(`\\${letter}{ takes hex digits and a closing brace`, start);
    return codePointFromHex(reader, digits, start);
  }
  const digits = reader.takeWhile(isHex, width);
  if (digits.length < width) throw reader.error(`\\${letter} takes ${width} hex digits, or hex digits in braces`, start);
  return codePointFromHex(reader, digits, start);
}
