/** Runs the sliced search to its end, for tests. Nothing of the library imports this. */
import { isHangoError } from "../../errors.ts";
import type { LineMatch, MatchLinesOptions } from "./match-lines.ts";
import { matchLines } from "./match-lines.ts";
import type { Pattern, PatternOptions } from "./pattern.ts";
import { parsePattern } from "./pattern.ts";

export interface MatchRun {
  readonly matches: readonly Omit<LineMatch, "start">[];
  /** How often it gave way. */
  readonly pauses: number;
}

export function runMatch(pattern: Pattern, content: string, options: Partial<MatchLinesOptions> = {}): MatchRun {
  const generator = matchLines(pattern, content, { limit: 1_000, ...options });
  for (let pauses = 0; ; pauses++) {
    const step = generator.next();
    if (step.done === true) return { matches: step.value.map(({ line, column }) => ({ line, column })), pauses };
  }
}

/** `"1:3 4:1"`: line and column of each match. */
export function shownMatches(source: string, content: string, options: PatternOptions = {}): string {
  return runMatch(parsePattern(source, options), content)
    .matches.map(({ line, column }) => `${line}:${column}`)
    .join(" ");
}

/** Undefined when the pattern is refused; anything but the refusal is passed on. */
export function tryPattern(source: string, options: PatternOptions = {}): Pattern | undefined {
  try {
    return parsePattern(source, options);
  } catch (error) {
    if (isHangoError(error, "invalid_pattern") || isHangoError(error, "invalid_argument")) return undefined;
    throw error;
  }
}
