import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshSeed } from "../../packages/hango/src/testing/random.ts";
import { openSubject, type Subject } from "../support/postgres-subject.ts";
import { runCas } from "./cas-run.ts";

/** The long run: HANGO_CAS_OPERATIONS=100000, or test/faults/long/cas.ts. */
const operations = Number(process.env["HANGO_CAS_OPERATIONS"] ?? 1_000);
const seed = Number(process.env["HANGO_SEED"] ?? freshSeed());

// PGlite runs one transaction after another; with the row lock the same must hold as with the advisory one.
describe.each([undefined, "row"] as const)(`64 clients that write, delete and make again (HANGO_SEED=${seed}, tree lock: %s)`, (treeLock) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject("postgres", { maxConnections: 16, ...(treeLock === undefined ? {} : { treeLock }) });
  });
  afterAll(() => subject.close());

  it("leave a history that could have happened one call after the other", { timeout: 3_600_000 }, async () => {
    const report = await runCas(subject.storage.scope(subject.namespace()), subject.query, { seed, clients: 64, operations, paths: 8 });
    expect(report.faults).toEqual([]);
    expect(
      [report.wrote, report.deleted, report.refused].every((n) => n > operations / 40),
      JSON.stringify(report),
    ).toBe(true);
  });
});
