/** How a pattern is quoted, and the one error for a pattern outside the dialect. */
import { HangoError } from "../../errors.ts";
import { MAX_PATTERN_CHARS } from "../../limits.ts";
import { escapeText } from "../quote.ts";

/** The text as it was sent, controls and halves of pairs escaped; backslashes stay single, so that it can be recognised. */
export function printable(text: string): string {
  return escapeText(text, MAX_PATTERN_CHARS);
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
