/** How grep shows a line that is too long to show whole. */
import { GREP_LINE_CHARS, GREP_WINDOW_LEAD } from "../limits.ts";
import { codePointLength, sliceCodePoints } from "./utf8.ts";

/** The line itself up to 500 characters; else the 500 that start 100 before the match. Units: `column` is 1-based, in code points. */
export function lineWindow(line: string, column: number): string {
  if (fits(line)) return line;
  return sliceCodePoints(line, Math.max(1, column - GREP_WINDOW_LEAD) - 1, GREP_LINE_CHARS);
}

/** The first 500 characters: how a context line is shown. */
export function clipLine(line: string): string {
  return fits(line) ? line : sliceCodePoints(line, 0, GREP_LINE_CHARS);
}

function fits(line: string): boolean {
  return line.length <= GREP_LINE_CHARS || (line.length <= 2 * GREP_LINE_CHARS && codePointLength(line) <= GREP_LINE_CHARS);
}
