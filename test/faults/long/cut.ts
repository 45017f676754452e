/** The long run of cut-connection.pg.test.ts: every operation, cut at every message, fenced and not. Sizes: HANGO_CUT_STEP (1), HANGO_CUT_ONLY (part of an operation's name), HANGO_CUT_FENCED (true or false: only that half). */
import { startPostgres } from "../../support/postgres-server.ts";
import { stateFaults } from "../audit-check.ts";
import { cutEverywhere } from "../cut-everywhere.ts";
import { openLanes, overLanes } from "../lanes.ts";
import { OPERATIONS } from "../operations.ts";
import { report, sizeFrom } from "./settings.ts";

const LANES = 8;
const step = sizeFrom("HANGO_CUT_STEP", 1);
const server = await startPostgres();
const operations = OPERATIONS.filter(({ name }) => name.includes(process.env["HANGO_CUT_ONLY"] ?? ""));
const half = process.env["HANGO_CUT_FENCED"];
for (const fenced of half === undefined ? [false, true] : [half === "true"]) {
  const lanes = await openLanes(server.url, { count: LANES, fenced });
  const sum = { cuts: 0, unavailable: 0, waits: 0, longestMs: 0, longest: "" };
  const faults: string[] = [];
  await overLanes(lanes, operations, async (lane, operation) => {
    const done = await cutEverywhere(lane, operation, { places: ["before", "half", "after"], times: ["once", "each"], step });
    sum.cuts += done.cuts;
    sum.unavailable += done.unavailable;
    sum.waits += done.waits;
    if (done.longestMs > sum.longestMs) Object.assign(sum, { longestMs: Math.round(done.longestMs), longest: done.longest });
    faults.push(...done.faults);
  });
  faults.push(...(await stateFaults(lanes.query)));
  report(`connections cut (row-level security: ${fenced})`, { ...sum, faults });
  await lanes.close();
}
await server.stop();
