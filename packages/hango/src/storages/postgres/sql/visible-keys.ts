/** The lists of a filter as SQL takes them: in stored form, what matches all below apart from what matches one path. */
import { comparePaths } from "../../../path/path.ts";
import { keyOf } from "./key-range.ts";

export interface FilterKeys {
  readonly below: readonly string[];
  readonly exact: readonly string[];
}

/** In the order given. */
export function keysOf(entries: readonly string[]): FilterKeys {
  return {
    below: entries.filter((entry) => entry.endsWith("/")).map((entry) => (entry === "/" ? entry : keyOf(entry))),
    exact: entries.filter((entry) => !entry.endsWith("/")).map(keyOf),
  };
}

/** Of lists that can't change any more: sorting 10,000 entries takes longer than the search they are for. */
const knownLists = new WeakMap<readonly string[], FilterKeys>();

/**
 * In byte order, and nothing below that is below another one: then the only entry that can be the head of a path is the greatest
 * one that is not above it in that order.
 */
export function sortedKeysOf(entries: readonly string[]): FilterKeys {
  const known = knownLists.get(entries);
  if (known !== undefined) return known;
  const { below, exact } = keysOf(entries.map((entry) => entry.toWellFormed()));
  const keys: FilterKeys = { below: topmost([...below].sort(comparePaths)), exact: [...exact].sort(comparePaths) };
  if (Object.isFrozen(entries)) knownLists.set(entries, keys);
  return keys;
}

function topmost(sorted: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const head of sorted) {
    const last = kept.at(-1);
    if (last === undefined || !head.startsWith(last)) kept.push(head);
  }
  return kept;
}

/** The keys from `start` up to but not including `end`. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

/** Of sorted keys those that matter to paths of the range, so that a look at one path takes few of thousands along. */
export function keysWithin({ below, exact }: FilterKeys, { start, end }: KeyRange): FilterKeys {
  // What covers the start is at most the last one before it.
  const covering = Math.max(0, placeOf(start, below) - 1);
  return { below: below.slice(covering, placeOf(end, below)), exact: exact.slice(placeOf(start, exact), placeOf(end, exact)) };
}

/** How many are less than the key. */
function placeOf(key: string, sorted: readonly string[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePaths(sorted[middle] ?? "", key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
