import { randomUUID } from "node:crypto";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../packages/hango/src/testing/random.ts";
import { openSubject, type Subject } from "../support/postgres-subject.ts";
import { type Answered, runWorkload } from "./workload.ts";
import { checkAnswers } from "./workload-check.ts";

const CYCLES = Number(process.env["HANGO_THREAD_CYCLES"] ?? 2);
const ANSWERS_BEFORE_END = 15;

describe("PGlite's thread, ended from outside in the middle of writing", () => {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker): unknown => workers.push(worker);
  let subject: Subject;
  beforeAll(async () => {
    process.on("worker", onWorker);
    subject = await openSubject("pglite");
  });
  afterAll(async () => {
    process.removeListener("worker", onWorker);
    await subject.close();
  });

  it("answers unavailable to the call in flight, starts again, and loses nothing acknowledged", { timeout: 600_000 }, async () => {
    const random = seededRandom(7);
    const answers: Answered[] = [];
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const [storage, begun] = [subject.storage.scope(subject.namespace()), answers.length];
      let ending = false;
      // Not before the thread is gone: a fast machine would be done with the rest while it still ran.
      let last = Number.POSITIVE_INFINITY;
      await runWorkload({
        storage,
        seed: cycle + 1,
        clients: 4,
        goesOn: () => answers.length < last,
        onAnswer: (answered) => {
          answers.push(answered);
          if (ending || answers.length < begun + ANSWERS_BEFORE_END) return;
          ending = true;
          setTimeout(
            () =>
              void workers
                .at(-1)
                ?.terminate()
                .then(() => (last = answers.length + ANSWERS_BEFORE_END)),
            random.below(40),
          );
        },
      });
    }
    const checked = await checkAnswers(answers, subject.query);
    expect(checked.faults).toEqual([]);
    expect(new Set(answers.map(({ answer }) => answer)).has("internal")).toBe(false);
    expect(workers).toHaveLength(CYCLES + 1);
  });

  it("without a call in flight is only started again", async () => {
    const storage = subject.storage.scope({ tenantId: randomUUID(), agentId: randomUUID() });
    await storage.write("a", new Uint8Array([65]));
    await workers.at(-1)?.terminate();
    expect((await storage.read("a")).bytes).toEqual(new Uint8Array([65]));
  });
});
