/**
 * One-to-one case folding from our own table, so that Postgres, its ICU and JavaScript can't disagree: every engine gets explicit sets.
 * ASCII letters fold to each other only (`k` never meets the Kelvin sign); other characters by the closure of the single-code-point
 * toLowerCase and toUpperCase, so é É, σ ς Σ, ß ẞ fold and İ, ı, ſ don't.
 */
import { firstFrom } from "../first-from.ts";
import type { Ranges } from "./classes.ts";
import { isSurrogate, normalise } from "./classes.ts";

const FIRST = 0x80;
/** The last code point with a case partner is U+1E943. */
const LAST = 0x1e943;
const CHUNK = 128;

interface FoldTable {
  /** A code point to everything it folds with, itself included, ascending. */
  readonly classes: ReadonlyMap<number, readonly number[]>;
  /** The keys of `classes`, ascending. */
  readonly codePoints: readonly number[];
}

let table: FoldTable | undefined;

/** The one code point of a mapped string; undefined for a longer mapping, or one that reaches ASCII. */
function single(mapped: string): number | undefined {
  const codePoint = mapped.codePointAt(0) ?? 0;
  return codePoint >= FIRST && String.fromCodePoint(codePoint).length === mapped.length ? codePoint : undefined;
}

/** Most of Unicode has no case: a chunk that no mapping changes is passed over at once. */
function hasCase(from: number): boolean {
  let text = "";
  for (let codePoint = from; codePoint < from + CHUNK; codePoint++) if (!isSurrogate(codePoint)) text += String.fromCodePoint(codePoint);
  return text.toLowerCase() !== text || text.toUpperCase() !== text;
}

function buildTable(): FoldTable {
  const classes = new Map<number, readonly number[]>();
  const join = (a: number, b: number): void => {
    const left = classes.get(a) ?? [a];
    if (left.includes(b)) return;
    const joined = [...left, ...(classes.get(b) ?? [b])].sort((x, y) => x - y);
    for (const member of joined) classes.set(member, joined);
  };
  for (let from = FIRST; from <= LAST; from += CHUNK) {
    if (!hasCase(from)) continue;
    for (let codePoint = from; codePoint < from + CHUNK; codePoint++) {
      if (isSurrogate(codePoint)) continue;
      const text = String.fromCodePoint(codePoint);
      for (const mapped of [single(text.toLowerCase()), single(text.toUpperCase())]) if (mapped !== undefined) join(codePoint, mapped);
    }
  }
  return { classes, codePoints: [...classes.keys()].sort((a, b) => a - b) };
}

function foldTable(): FoldTable {
  return (table ??= buildTable());
}

/** The ranges and everything that folds with a member of them. */
export function foldRanges(ranges: Ranges): Ranges {
  const out = [...ranges];
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i] as number;
    const high = ranges[i + 1] as number;
    const shift = (from: number, to: number, by: number): void => {
      if (Math.max(low, from) <= Math.min(high, to)) out.push(Math.max(low, from) + by, Math.min(high, to) + by);
    };
    shift(0x41, 0x5a, 0x20);
    shift(0x61, 0x7a, -0x20);
    if (high < FIRST) continue;
    const { classes, codePoints } = foldTable();
    for (
      let at = firstFrom(codePoints.length, (index) => (codePoints[index] as number) >= low);
      at < codePoints.length && (codePoints[at] as number) <= high;
      at++
    )
      for (const member of classes.get(codePoints[at] as number) ?? []) out.push(member, member);
  }
  return normalise(out);
}

/** One code point that stands for all it folds with. */
export function foldCodePoint(codePoint: number): number {
  if (codePoint < FIRST) return codePoint >= 0x41 && codePoint <= 0x5a ? codePoint + 0x20 : codePoint;
  return foldTable().classes.get(codePoint)?.[0] ?? codePoint;
}
