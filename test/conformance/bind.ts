/** One storage through everything: the conformance suite, the same without its accelerators, and random runs against the model and the derived forms. */
import { describe, it } from "vitest";
import type { Storage } from "hango";
import { differentialCase, type Need, runModel, storageConformance, withoutAccelerators } from "hango/testing";
import { filled, modelRuns } from "./seeded.ts";

export interface Binding {
  readonly name: string;
  /** A fresh, empty storage. */
  readonly open: () => Storage;
  readonly lacks: readonly Need[];
}

export function bindStorage({ name, open, lacks }: Binding): void {
  storageConformance({ describe, it }, { name, lacks, create: (files) => filled(open(), files) });
  storageConformance(
    { describe, it },
    { name: `${name} without accelerators`, lacks, create: async (files) => withoutAccelerators(await filled(open(), files)) },
  );
  describe(`${name} in random runs`, () => {
    for (let run = 1; run <= modelRuns; run++) {
      const seed = (Date.now() + run * 7919) >>> 0;
      it(`agrees with the model (${run})`, async () => runModel(open(), { seed }));
      it(`answers a generated tree as the derived forms do (${run})`, async () => {
        const { files, run: ask } = differentialCase(seed);
        await ask(await filled(open(), files));
      });
    }
  });
}
