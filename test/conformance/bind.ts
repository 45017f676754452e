/** One storage through everything: the conformance suite, the same without its accelerators, and random runs against the model. */
import { describe, it } from "vitest";
import { runModel } from "../../packages/hango/src/testing/index.ts";
import { storageConformance } from "../../packages/hango/src/testing/conformance.ts";
import { withoutAccelerators } from "../../packages/hango/src/testing/without-accelerators.ts";
import type { Need } from "../../packages/hango/src/testing/index.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { filled, modelRuns } from "./seeded.ts";

export interface Binding {
  readonly name: string;
  /** A fresh, empty storage. */
  readonly open: () => Storage;
  readonly lacks: readonly Need[];
}

export function bindStorage({ name, open, lacks }: Binding): void {
  storageConformance({ describe, it }, { name, lacks, create: (files) => filled(open(), files) });
  storageConformance({ describe, it }, { name: `${name} without accelerators`, lacks, create: async (files) => withoutAccelerators(await filled(open(), files)) });
  describe(`${name} agrees with the model`, () => {
    for (let run = 1; run <= modelRuns; run++) it(`in the random run ${run}`, async () => runModel(open(), { seed: (Date.now() + run * 7919) >>> 0 }));
  });
}
