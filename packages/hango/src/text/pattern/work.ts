/**
 * Work is counted: the limit comes at the same place on every machine, and a test can reckon it. Pauses look at the clock
 * as well, because a unit is worth more on a busy machine. A search may also have a time, as on the databases, and then that ends it too.
 */
import { HangoError } from "../../errors.ts";
import { MATCH_SLICE_WORK, MATCH_TOTAL_WORK } from "../../limits.ts";
import type { Pattern } from "./pattern.ts";
import { printable } from "./pattern-error.ts";

/** Characters of ordinary progress that cost one unit; each instruction visited costs one more. */
export const CHARS_PER_UNIT = 8;

/** Units between two looks at the clock, and how long a slice may take. */
const CHECK_WORK = 10_000;
const SLICE_MS = 10;

/** Units of work spent; one object for all the files of a grep makes the limit hold for the whole of it. */
export interface MatchWork {
  units: number;
  pauseAt: number;
  /** When the slice under way began; undefined during a pause. */
  sliceStart: number | undefined;
  /** Time in slices that are over: reading and waiting for others don't count. */
  spentMs: number;
  /** May be raised as more text comes. */
  timeoutMs: number;
}

/** Without a time only the count of units ends the search. */
export function createMatchWork(timeoutMs: number = Number.POSITIVE_INFINITY): MatchWork {
  return { units: 0, pauseAt: MATCH_SLICE_WORK, sliceStart: undefined, spentMs: 0, timeoutMs };
}

/** Ends the slice under way: what the caller does next is not time spent here. */
export function endSlice(work: MatchWork): void {
  if (work.sliceStart !== undefined) work.spentMs += performance.now() - work.sliceStart;
  work.sliceStart = undefined;
}

/** Characters or instructions to go through before the next look at the clock or the next pause, at least one: a scan may spend it on both, so it is half of what is left. */
export function roomFor(work: MatchWork): number {
  work.sliceStart ??= performance.now();
  return Math.max(1, Math.min(CHECK_WORK, Math.floor((work.pauseAt - work.units) / 2)));
}

/** Adds what was spent and tells whether to give way now. Errors: timeout once a limit is reached. */
export function spend(work: MatchWork, units: number, pattern: Pattern): boolean {
  work.units += units;
  if (work.units >= MATCH_TOTAL_WORK) throw tooMuch(work, pattern, "took too much work");
  const now = performance.now();
  work.sliceStart ??= now;
  const sliceMs = now - work.sliceStart;
  if (work.spentMs + sliceMs >= work.timeoutMs) throw tooMuch(work, pattern, `took over ${Math.round(work.timeoutMs)} ms`);
  if (work.units < work.pauseAt && sliceMs < SLICE_MS) return false;
  work.pauseAt = work.units + MATCH_SLICE_WORK;
  work.spentMs += sliceMs;
  work.sliceStart = undefined;
  return true;
}

function tooMuch({ units }: MatchWork, { source }: Pattern, what: string): HangoError {
  return new HangoError("timeout", `Searching for "${printable(source)}" ${what}. Make the pattern more specific, or search a smaller path.`, {
    op: "grep",
    details: { units: Math.round(units) },
  });
}
