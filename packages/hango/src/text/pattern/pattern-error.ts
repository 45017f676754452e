/** How a pattern is quoted, and the one error for a pattern outside the dialect. */
import { HangoError } from "../../errors.ts";
import { MAX_PATTERN_CHARS } from "../../limits.ts";

function isUnprintable(codePoint: number): boolean {
  return (
    codePoint < 0x20 ||
    (codePoint >= 0x7f && codePoint <= 0x9f) ||
    (codePoint >= 0xd800 && codePoint <= 0xdfff) ||
    codePoint === 0x61c ||
    (codePoint >= 0x200b && codePoint <= 0x200f) ||
    (codePoint >= 0x2028 && codePoint <= 0x202e) ||
    (codePoint >= 0x2066 && codePoint <= 0x2069) ||
    codePoint === 0xfeff
  );
}

/** The text as it was sent, with control characters, bidi controls and halves of pairs as `\uHHHH`; backslashes stay single, so that it can be recognised. */
export function printable(text: string): string {
  let out = "";
  let count = 0;
  for (const character of text) {
    if (++count > MAX_PATTERN_CHARS) return `${out}…`;
    const codePoint = character.codePointAt(0) as number;
    out += isUnprintable(codePoint) ? `\\u${codePoint.toString(16).padStart(4, "0")}` : character;
  }
  return out;
}

function refused(source: string, what: string, problem: string, offset: number | undefined, next: string): HangoError {
  const where = offset === undefined ? "" : ` at offset ${offset}`;
  return new HangoError("invalid_pattern", `The ${what} "${printable(source)}" is refused${where}: ${problem}.${next}`, {
    op: "grep",
    details: { pattern: printable(source), ...(offset === undefined ? {} : { offset }) },
  });
}

/** Units: `offset` in code points from 0. Errors: this is `invalid_pattern`; it quotes the pattern and names `literal`. */
export function invalidPattern(source: string, problem: string, offset?: number): HangoError {
  return refused(source, "pattern", problem, offset, " To search for the text itself, set literal to true.");
}

/** The same for a pattern that was sent with `literal`. */
export function invalidLiteral(source: string, problem: string, offset?: number): HangoError {
  return refused(source, "literal pattern", problem, offset, "");
}
