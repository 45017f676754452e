/** A small seeded generator: the same seed gives the same run, so a failure can be repeated from its printed seed. */

export interface Random {
  /** A whole number from 0 to `below` - 1. */
  readonly below: (below: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  /** True once in `times`. */
  readonly oneIn: (times: number) => boolean;
}

/** Starts a generator. Source: mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new Error("pick needs at least one item");
      return items[below(items.length)] as T;
    },
    oneIn: (times) => below(times) === 0,
  };
}

/** A seed for a run that nobody asked to repeat. */
export function freshSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff);
}
