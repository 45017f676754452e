/** Work is counted, not timed: a pause and the limit come at the same place on every machine, and a test can reckon them. */
import { HangoError } from "../../errors.ts";
import { MATCH_SLICE_WORK, MATCH_TOTAL_WORK } from "../../limits.ts";
import type { Pattern } from "./pattern.ts";
import { printable } from "./pattern-error.ts";

/** Characters of ordinary progress that cost one unit; each instruction visited costs one more. */
export const CHARS_PER_UNIT = 8;

/** Units of work spent; one object for all the files of a grep makes the limit hold for the whole of it. */
export interface MatchWork {
  units: number;
  pauseAt: number;
}

export function createMatchWork(): MatchWork {
  return { units: 0, pauseAt: MATCH_SLICE_WORK };
}

/** Units left before the next pause, at least one. */
export function roomFor(work: MatchWork): number {
  return Math.max(1, Math.ceil(work.pauseAt - work.units));
}

/** Adds what was spent and tells whether to give way now. Errors: timeout once the limit is reached. */
export function spend(work: MatchWork, units: number, pattern: Pattern): boolean {
  work.units += units;
  if (work.units >= MATCH_TOTAL_WORK)
    throw new HangoError("timeout", `Searching for "${printable(pattern.source)}" took too much work. Make the pattern more specific, or search a smaller path.`, {
      op: "grep",
      details: { units: Math.round(work.units) },
    });
  if (work.units < work.pauseAt) return false;
  work.pauseAt = work.units + MATCH_SLICE_WORK;
  return true;
}
