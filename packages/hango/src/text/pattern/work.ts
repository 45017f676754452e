/**
 * Work is counted, not timed: the limit comes at the same place on every machine, and a test can reckon it.
 * Only pauses look at the clock as well, because a unit is worth more on a busy machine; they never change an answer.
 */
import { HangoError } from "../../errors.ts";
import { MATCH_SLICE_WORK, MATCH_TOTAL_WORK } from "../../limits.ts";
import type { Pattern } from "./pattern.ts";
import { printable } from "./pattern-error.ts";

/** Characters of ordinary progress that cost one unit; each instruction visited costs one more. */
export const CHARS_PER_UNIT = 8;

/** Units between two looks at the clock, and how long a slice may take. */
const CHECK_WORK = 50_000;
const SLICE_MS = 10;

/** Units of work spent; one object for all the files of a grep makes the limit hold for the whole of it. */
export interface MatchWork {
  units: number;
  pauseAt: number;
  /** When the slice under way began; undefined during a pause. */
  sliceStart: number | undefined;
}

export function createMatchWork(): MatchWork {
  return { units: 0, pauseAt: MATCH_SLICE_WORK, sliceStart: undefined };
}

/** Characters or instructions to go through before the next look at the clock or the next pause, at least one: a scan may spend it on both, so it is half of what is left. */
export function roomFor(work: MatchWork): number {
  work.sliceStart ??= performance.now();
  return Math.max(1, Math.min(CHECK_WORK, Math.floor((work.pauseAt - work.units) / 2)));
}

/** Adds what was spent and tells whether to give way now. Errors: timeout once the limit is reached. */
export function spend(work: MatchWork, units: number, pattern: Pattern): boolean {
  work.units += units;
  if (work.units >= MATCH_TOTAL_WORK)
    throw new HangoError(
      "timeout",
      `Searching for "${printable(pattern.source)}" took too much work. Make the pattern more specific, or search a smaller path.`,
      {
        op: "grep",
        details: { units: Math.round(work.units) },
      },
    );
  const now = performance.now();
  work.sliceStart ??= now;
  if (work.units < work.pauseAt && now - work.sliceStart < SLICE_MS) return false;
  work.pauseAt = work.units + MATCH_SLICE_WORK;
  work.sliceStart = undefined;
  return true;
}
