import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { stateFaults } from "./audit-check.ts";
import { cutEverywhere } from "./cut-everywhere.ts";
import { type Lanes, openLanes, overLanes } from "./lanes.ts";
import { OPERATIONS } from "./operations.ts";

/** 1 cuts at every message; HANGO_CUT_STEP=1 is the long run. */
const STEP = Number(process.env["HANGO_CUT_STEP"] ?? 7);
const NAMES: ReadonlySet<string> = new Set([
  "read",
  "write of a new file",
  "write if absent",
  "write over a file",
  "write over a version",
  "delete",
  "apply",
  "fs.grep",
  "fs.edit",
]);
const operations = STEP === 1 ? OPERATIONS : OPERATIONS.filter(({ name }) => NAMES.has(name));

describe.each([false, true])("a connection that is cut at any message (row-level security: %s)", (fenced) => {
  let lanes: Lanes;
  beforeAll(async () => {
    lanes = await openLanes(inject("postgresUrl"), { count: 8, fenced });
  });
  afterAll(() => lanes.close());

  it("once is got over, and a retried change is made once", { timeout: 900_000 }, async () => {
    const faults: string[] = [];
    let cuts = 0;
    await overLanes(lanes, operations, async (lane, operation) => {
      const report = await cutEverywhere(lane, operation, { places: ["before", "half", "after"], times: ["once"], step: STEP });
      faults.push(...report.faults);
      cuts += report.cuts;
    });
    expect(faults).toEqual([]);
    expect(cuts).toBeGreaterThan(operations.length * 5);
    expect(await stateFaults(lanes.query)).toEqual([]);
  });

  it("and so is each that follows answers unavailable, and nothing is half done", { timeout: 900_000 }, async () => {
    const faults: string[] = [];
    let unavailable = 0;
    await overLanes(lanes, operations, async (lane, operation) => {
      const report = await cutEverywhere(lane, operation, { places: ["after"], times: ["each"], step: STEP });
      faults.push(...report.faults);
      unavailable += report.unavailable;
    });
    expect(faults).toEqual([]);
    expect(unavailable).toBeGreaterThan(operations.length);
    expect(await stateFaults(lanes.query)).toEqual([]);
  });
});
