import { describe, expect, it } from "vitest";
import { freshSeed } from "../../packages/hango/src/testing/random.ts";
import { killPglite, type KillOptions, type KillReport, killServer, killWriters } from "./kill-cycles.ts";

/** The long run: HANGO_KILL_CYCLES=100, or test/faults/long/kill.ts. */
const cycles = Number(process.env["HANGO_KILL_CYCLES"] ?? 3);
const seed = Number(process.env["HANGO_SEED"] ?? freshSeed());

const KILLS: readonly (readonly [string, (options: KillOptions) => Promise<KillReport>])[] = [
  ["of a process that writes through Postgres", killWriters],
  ["of Postgres itself", killServer],
  ["of a process with PGlite inside", killPglite],
];

describe(`kill -9 (HANGO_SEED=${seed})`, () => {
  it.each(KILLS)("%s loses no acknowledged change, leaves no half commit, and the record has a row for each write", { timeout: 3_600_000 }, async (_, kill) => {
    const report = await kill({ cycles, seed });
    expect(report.faults).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(cycles * 10);
  });
});
