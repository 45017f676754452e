/** A few hostile calls against one storage, for an ordinary test run; HANGO_HOSTILE_INPUTS and HANGO_SEED ask for others. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inputAt, shownInput } from "./inputs.ts";
import { perform } from "./perform.ts";
import { watchStalls } from "./stall.ts";
import type { Subject } from "./subjects.ts";
import { makeWorld, type World } from "./world.ts";

const seed = Number(process.env["HANGO_SEED"] ?? 1);
const TEXT_BYTES = 128 * 1024;
const PATHS = 60;

export const shortWorld: World = makeWorld({ seed, textBytes: TEXT_BYTES, paths: PATHS });

export function shortCount(usual: number): number {
  return Number(process.env["HANGO_HOSTILE_INPUTS"] ?? usual);
}

/** No assertion on time: a machine under load is slow, and the long run says by how much. */
export function bindHostile(name: string, open: (world: World) => Promise<Subject>, usual: number): void {
  const count = shortCount(usual);
  describe(`hostile input against ${name}`, () => {
    let subject: Subject | undefined;
    beforeAll(async () => {
      subject = await open(shortWorld);
    });
    afterAll(async () => subject?.close());

    it("is answered or refused for a reason of its own, call after call", { timeout: 60_000 + 5_000 * count }, async () => {
      if (subject === undefined) throw new Error("the storage opens in beforeAll");
      const watch = watchStalls();
      try {
        for (let number = 0; number < count; number++) {
          const input = inputAt(shortWorld, number);
          const { broken } = await perform(subject.storage, shortWorld, { number, input, watch });
          expect(broken, `seed ${seed}, input ${number}: ${shownInput(input)}`).toBeUndefined();
        }
      } finally {
        watch.stop();
      }
    });
  });
}
