import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setTimeout as pause } from "node:timers/promises";
import { isHangoError } from "../../packages/hango/src/errors.ts";
import { freshSeed, seededRandom } from "../../packages/hango/src/testing/random.ts";
import { bytesOf, openSubject, type Subject } from "../support/postgres-subject.ts";
import { stateFaults } from "./audit-check.ts";
import { type Answered, runWorkload } from "./workload.ts";
import { checkAnswers } from "./workload-check.ts";

/** Calls to be answered while others disturb them; the long run: HANGO_DISTURBED_CALLS=20000. */
const CALLS = Number(process.env["HANGO_DISTURBED_CALLS"] ?? 300);
const seed = Number(process.env["HANGO_SEED"] ?? freshSeed());

const others =
  "from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and query not like '%disturber%' and state = 'active'";

describe(`clients whose calls are disturbed (HANGO_SEED=${seed})`, () => {
  let subject: Subject;
  let disturber: Subject["query"];
  beforeAll(async () => {
    subject = await openSubject("postgres", { maxConnections: 8 });
    disturber = subject.query;
  });
  afterAll(() => subject.close());

  async function disturb(statement: string, number: number): Promise<readonly Answered[]> {
    const answers: Answered[] = [];
    const storage = subject.storage.scope(subject.namespace());
    let over = false;
    const disturbing = (async () => {
      while (!over) {
        await disturber(`select ${statement} /* disturber */ ${others}`).catch((error: unknown) => {
          if (!isHangoError(error)) throw error;
        });
        await pause(3);
      }
    })();
    try {
      await runWorkload({
        storage,
        seed: seed + number * 1_000,
        clients: 6,
        goesOn: () => answers.length < CALLS,
        onAnswer: (answered) => answers.push(answered),
      });
      return answers;
    } finally {
      over = true;
      await disturbing;
    }
  }

  it("by pg_cancel_backend answer timeout, and then nothing was done", { timeout: 900_000 }, async () => {
    const answers = await disturb("pg_cancel_backend(pid)", 1);
    const checked = await checkAnswers(answers, subject.query);
    const done = new Set((await subject.query("select tool_call_id as id from hango.audit_events")).map((row) => row["id"]));
    expect(checked.faults).toEqual([]);
    expect(answers.filter(({ id, answer }) => answer === "timeout" && done.has(id))).toEqual([]);
    // A short run may meet no call at all.
    if (CALLS >= 3_000) expect(answers.some(({ answer }) => answer === "timeout")).toBe(true);
  });

  it("by pg_terminate_backend go on over new connections, and each call is made once", { timeout: 900_000 }, async () => {
    const answers = await disturb("pg_terminate_backend(pid)", 2);
    expect((await checkAnswers(answers, subject.query)).faults).toEqual([]);
    expect(answers.some(({ answer }) => answer === "ok")).toBe(true);
  });

  it("by their own abort leave whole files, and no connection behind", { timeout: 900_000 }, async () => {
    const random = seededRandom(seed);
    const storage = subject.storage.scope(subject.namespace());
    let aborted = 0;
    const client = async (number: number): Promise<void> => {
      for (let n = 0; n < CALLS / 6; n++) {
        const controller = new AbortController();
        const reason = new Error("left");
        setTimeout(() => controller.abort(reason), random.below(8));
        const options = { signal: controller.signal };
        const call =
          n % 3 === 0
            ? storage.apply?.([{ kind: "modify", path: `a${number}`, bytes: bytesOf(`${n}`) }], options)
            : storage.write(`a${number}`, bytesOf(`${n}`), options);
        await call?.catch((error: unknown) => {
          if (error !== reason && !isHangoError(error, "conflict")) throw error;
          aborted += Number(error === reason);
        });
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, number) => client(number)));
    expect(aborted).toBeGreaterThan(CALLS / 60);
    const connections = async (): Promise<number> =>
      Number((await subject.query("select count(*) as n from pg_stat_activity where datname = current_database()"))[0]?.["n"]);
    // The server takes a moment to end what a caller has left.
    await expect.poll(connections, { timeout: 20_000 }).toBeLessThanOrEqual(8);
    expect(await stateFaults(subject.query)).toEqual([]);
  });
});
