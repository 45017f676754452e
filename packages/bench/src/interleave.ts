/** Runs variants of one operation in turns, so that whatever else the machine does falls on all of them alike. */

/** One call; answers something countable, which every variant must answer alike. */
export type Call = () => Promise<number>;
export type Variants = ReadonlyMap<string, Call>;

export interface InterleaveOptions {
  /** Each takes two samples of every variant: in order, then in reverse (ABBA). */
  readonly rounds: number;
  /** Rounds that are not counted: code gets compiled, and a server changes to a statement's lasting plan at its sixth use. */
  readonly warmups: number;
}

/** Units of the samples: milliseconds. Errors: plain Error when variants answer differently, since they then do not do the same. */
export async function interleave(variants: Variants, { rounds, warmups }: InterleaveOptions): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, number[]>([...variants.keys()].map((name) => [name, []]));
  const forward = [...variants];
  for (let round = -warmups; round < rounds; round++) {
    for (const order of [forward, forward.toReversed()]) {
      const answers = new Map<string, number>();
      for (const [name, call] of order) {
        const start = performance.now();
        answers.set(name, await call());
        const ms = performance.now() - start;
        if (round >= 0) samples.get(name)?.push(ms);
      }
      if (new Set(answers.values()).size > 1) throw new Error(`The variants do not do the same: ${JSON.stringify([...answers])}.`);
    }
  }
  return samples;
}
