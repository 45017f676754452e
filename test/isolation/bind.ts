/** What a session observes does not depend on what it can't see: the same calls with and without it, compared byte for byte. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { LIMITS } from "../model/model-files.ts";
import type { Operation } from "../model/operation.ts";
import type { Subject } from "../model/world.ts";
import { capCalls, fillToCap } from "./caps.ts";
import { makeNoise, stir } from "./noise.ts";
import { observe } from "./observe.ts";
import { randomCalls, script } from "./scene.ts";

export interface IsolationBinding {
  readonly name: string;
  readonly open: () => Promise<Subject>;
  /** Layers between the guard and the storage. */
  readonly through?: (storage: Storage) => Storage;
  /** Random calls of an ordinary test run. */
  readonly calls: number;
  /** Of the script, each so-manieth call of an ordinary test run: no multiple of 23 or 31, the calls at one place, or it is always the same operation. */
  readonly stride: number;
}

/** How many random calls a long run makes; it also takes the whole script, and more noise. */
const long: string | undefined = process.env["HANGO_MODEL_RUNS"];
/** Files of others: more than any cap. */
const NOISE: number = long === undefined ? 1_200 : 5_000;

export function bindIsolation({ name, open, through = (storage) => storage, calls, stride }: IsolationBinding): void {
  describe(`what a session observes on ${name}`, { timeout: 600_000 }, () => {
    let subject: Subject | undefined;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(async () => subject?.close());

    /** The same calls in an empty namespace and in one full of what the session can't see. */
    async function bothWays(operations: readonly Operation[]): Promise<void> {
      if (subject === undefined) throw new Error("the storage opens in beforeAll");
      const [[quiet], [loud, beside]] = [subject.rooms("agent"), subject.rooms("tenant")];
      await makeNoise(loud.storage, beside.storage, NOISE);
      const alone = await observe(operations, { storage: through(quiet.storage), limits: LIMITS });
      const among = await observe(operations, { storage: through(loud.storage), limits: LIMITS, between: (turn) => stir(loud.storage, turn) });
      expectSame(among, alone);
    }

    it("is the same with thousands of other sessions' files, at every place and for every operation", () => bothWays(script(long === undefined ? stride : 1)));

    it("is the same in random calls", async () => {
      const seed = Date.now() >>> 0;
      try {
        await bothWays(randomCalls(seed, Number(long ?? calls), subject?.search === true));
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    });

    it.each(long === undefined ? [1_000, 1_001] : [999, 1_000, 1_001])(
      "is the same at %i visible files with hidden ones in between, and cut only past a thousand",
      async (visible) => {
        if (subject === undefined) throw new Error("the storage opens in beforeAll");
        const [[quiet], [loud, beside]] = [subject.rooms("agent"), subject.rooms("tenant")];
        await fillToCap(quiet.storage, visible);
        await fillToCap(loud.storage, visible);
        await makeNoise(loud.storage, beside.storage, NOISE);
        const operations = capCalls(subject.search);
        const limits = { toolResultTokens: 1_000_000 };
        const alone = await observe(operations, { storage: through(quiet.storage), limits });
        const among = await observe(operations, { storage: through(loud.storage), limits });
        expectSame(among, alone);
        for (const line of alone) expect([line.slice(0, 120), /truncated":true|truncated after/u.test(line)]).toEqual([line.slice(0, 120), visible > 1_000]);
      },
    );
  });
}

/** Names the first call that differs, because the whole of both is too much to read. */
function expectSame(among: readonly string[], alone: readonly string[]): void {
  const at = alone.findIndex((line, index) => line !== among[index]);
  if (at >= 0) expect(`call ${at}: ${among[at]}`).toBe(`call ${at}: ${alone[at]}`);
  expect(among.length).toBe(alone.length);
}
