import { describe, expect, it } from "vitest";
import { freshSeed } from "../../packages/hango/src/testing/random.ts";
import { killPglite, type KillOptions, type KillReport, killServer, killWriters } from "./kill-cycles.ts";

/** The long run: HANGO_KILL_CYCLES=100, or test/faults/long/kill.ts. */
const long: string | undefined = process.env["HANGO_KILL_CYCLES"];
const seed = Number(process.env["HANGO_SEED"] ?? freshSeed());

/** With the cycles of an ordinary test run. */
const KILLS: readonly (readonly [string, number, (options: KillOptions) => Promise<KillReport>])[] = [
  ["of a process that writes through Postgres", 2, killWriters],
  ["of Postgres itself", 2, killServer],
  ["of a process with PGlite inside", 1, killPglite],
];

describe(`kill -9 (HANGO_SEED=${seed})`, () => {
  it.each(KILLS)(
    "%s loses no acknowledged change, leaves no half commit, and the record has a row for each write",
    { timeout: 3_600_000 },
    async (_, few, kill) => {
      const cycles = Number(long ?? few);
      const report = await kill({ cycles, seed });
      expect(report.faults).toEqual([]);
      expect(report.acknowledged).toBeGreaterThan(cycles * 10);
    },
  );
});
