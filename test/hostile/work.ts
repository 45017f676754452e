/** What a call costs in our own code, in steps that every machine counts alike. */
import { MATCH_SLICE_WORK, MATCH_TOTAL_WORK } from "../../packages/hango/src/limits.ts";
import { isHangoError } from "../../packages/hango/src/errors.ts";
import { findAll } from "../../packages/hango/src/text/find.ts";
import { matchGlob, parseGlob } from "../../packages/hango/src/text/glob.ts";
import { matchLines } from "../../packages/hango/src/text/pattern/match-lines.ts";
import { parsePattern } from "../../packages/hango/src/text/pattern/pattern.ts";
import { createMatchWork } from "../../packages/hango/src/text/pattern/work.ts";
import type { EditInput, GlobInput, GrepInput, HostileInput } from "./inputs.ts";
import { worldFiles, type World } from "./world.ts";

/** More than one symbol costs any program within the limits: each of its instructions once. */
const ONE_STEP = 2_000;

export interface Work {
  /** Units of the pattern machine, or steps of the glob or of the exact search. */
  readonly units: number;
  /** The most that lay between two pauses; 0 where there are none. */
  readonly longestSlice: number;
  /** Sentences on what was over its limit. */
  readonly broken: readonly string[];
}

const NOTHING: Work = { units: 0, longestSlice: 0, broken: [] };

/** Counts one call. What the parsers refuse costs nothing. */
export function countWork(world: World, input: HostileInput): Work {
  try {
    if (input.kind === "grep") return withStoppedClock(() => countGrep(world, input));
    return input.kind === "glob" ? countGlob(world, input) : countEdit(world, input);
  } catch (error) {
    if (isHangoError(error, "invalid_pattern") || isHangoError(error, "invalid_argument")) return NOTHING;
    throw error;
  }
}

/** A slice also ends when it took long, so on a slow machine none would ever do all the work that it may. */
function withStoppedClock<T>(count: () => T): T {
  const now = performance.now();
  performance.now = () => now;
  try {
    return count();
  } finally {
    // The clock itself is the prototype's.
    Reflect.deleteProperty(performance, "now");
  }
}

function countGrep(world: World, { pattern: source, path, include, literal, ignoreCase, maxCount }: GrepInput): Work {
  const pattern = parsePattern(source, { literal, ignoreCase });
  const glob = include === undefined ? undefined : parseGlob(include);
  const work = createMatchWork();
  const slice = { since: 0, longest: 0 };
  const pause = (): void => {
    slice.longest = Math.max(slice.longest, work.units - slice.since);
    slice.since = work.units;
  };
  let left = maxCount + 1;
  try {
    for (const [name, content] of worldFiles(world)) {
      if (left === 0 || (path !== "/" && `/${name}` !== path) || (glob !== undefined && !matchGlob(glob, name))) continue;
      const generator = matchLines(pattern, content, { limit: left, work });
      let step = generator.next();
      for (; step.done !== true; step = generator.next()) pause();
      left -= step.value.length;
    }
  } catch (error) {
    if (!isHangoError(error, "timeout")) throw error;
  }
  pause();
  const broken = [
    // The sum is looked at between slices, and often inside one.
    ...(work.units > MATCH_TOTAL_WORK + MATCH_SLICE_WORK ? [`${work.units} units of work in all; the limit is ${MATCH_TOTAL_WORK}`] : []),
    ...(slice.longest > MATCH_SLICE_WORK + ONE_STEP ? [`a slice of ${slice.longest} units; the limit is ${MATCH_SLICE_WORK}`] : []),
  ];
  return { units: work.units, longestSlice: slice.longest, broken };
}

function countGlob(world: World, { pattern: source, root }: GlobInput): Work {
  const pattern = parseGlob(source);
  const below = root === "/" ? "" : `${root.slice(1)}/`;
  const broken: string[] = [];
  let units = 0;
  for (const name of worldFiles(world).keys()) {
    if (!name.startsWith(below)) continue;
    const path = name.slice(below.length);
    const meter = { steps: 0 };
    matchGlob(pattern, path, meter);
    units += meter.steps;
    const most = 2 * (written(pattern) + 1) * (path.length + 1);
    if (meter.steps > most) broken.push(`${meter.steps} steps for the path ${path}; the limit is ${most}`);
  }
  return { units, longestSlice: 0, broken };
}

/** Tokens of all alternatives. */
function written({ alternatives }: ReturnType<typeof parseGlob>): number {
  return alternatives
    .flatMap(({ segments }) => segments)
    .reduce((sum, segment) => sum + 1 + (segment.kind === "wild" ? segment.tokens.length : segment.kind === "literal" ? segment.text.length : 0), 0);
}

function countEdit({ texts }: World, { path, oldText }: EditInput): Work {
  const text = texts.get(path.slice(1)) ?? "";
  const meter = { steps: 0 };
  findAll(text, oldText, meter);
  const most = 2 * (text.length + oldText.length);
  return { units: meter.steps, longestSlice: 0, broken: meter.steps > most ? [`${meter.steps} comparisons; the limit is ${most}`] : [] };
}
