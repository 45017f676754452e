/** One storage against the model, as long as HANGO_MODEL_RUNS says. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { checkSubject } from "./check.ts";
import type { Subject } from "./world.ts";

/** `few` are the operations of an ordinary test run. */
export function bindModel(name: string, open: () => Promise<Subject>, few: number): void {
  const operations = Number(process.env["HANGO_MODEL_RUNS"] ?? few);
  describe(`the reference model beside ${name}`, () => {
    let subject: Subject | undefined;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(async () => subject?.close());

    it("agrees with every operation of the storage, the file system and the tools, from every door", { timeout: 60_000 + 10 * operations }, async () => {
      if (subject === undefined) throw new Error("the storage opens in beforeAll");
      // Without a clock two runs never differ; with it each run tries something new, and says its seed when it fails.
      await checkSubject(subject, { seed: Date.now() >>> 0, operations });
    });
  });
}
