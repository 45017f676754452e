import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { openStorage } from "../../packages/hango/src/storages/osfs/os-storage.ts";
import type { WalkBy } from "../../packages/hango/src/storages/osfs/root.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { differentialCase, type Need, runModel, storageConformance, withoutAccelerators } from "../../packages/hango/src/testing/index.ts";
import { filled, modelRuns } from "./seeded.ts";

const top = mkdtempSync(join(tmpdir(), "hango-osfs-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const open = (walkBy: WalkBy): Storage => openStorage({ directory: mkdtempSync(join(top, "root-")) }, walkBy);
const lacks: readonly Need[] = ["search", "apply", "record", "content types"];

storageConformance(
  { describe, it },
  { name: "osfs without accelerators", lacks, create: async (files) => withoutAccelerators(await filled(open("descriptors"), files)) },
);
for (const walkBy of ["descriptors", "names"] as const) {
  const name = `osfs by ${walkBy}`;
  storageConformance({ describe, it }, { name, lacks, create: (files) => filled(open(walkBy), files) });
  describe(`${name} in random runs`, () => {
    for (let run = 1; run <= modelRuns; run++) {
      const seed = (Date.now() + run * 7919) >>> 0;
      it(`agrees with the model (${run})`, async () => runModel(open(walkBy), { seed, contentTypes: false }));
      it(`answers a generated tree as the derived forms do (${run})`, async () => {
        const { files, run: ask } = differentialCase(seed);
        await ask(await filled(open(walkBy), files));
      });
    }
  });
}
