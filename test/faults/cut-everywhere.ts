/** Cuts one operation's connection at each of its messages in turn, and says what was wrong with the answers. */
import { randomUUID } from "node:crypto";
import { isHangoError } from "../../packages/hango/src/errors.ts";
import type { Namespace } from "../../packages/hango/src/storage.ts";
import type { Database } from "../../packages/hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { type Cut, type CutPlace, type CuttingProxy } from "./cutting-proxy.ts";
import { contents, fillTree, type Operation } from "./operations.ts";
import { type Contents, outcomeOf, stateAfter } from "./outcome.ts";

/** One proxy with one database behind it, which has one connection. */
export interface Lane {
  readonly proxy: CuttingProxy;
  readonly database: Database;
  /** The same database, past the proxy. */
  readonly direct: Database;
}

export interface CutOptions {
  readonly places: readonly CutPlace[];
  readonly times: readonly Cut["times"][];
  /** Every n-th message; 1 is all of them. */
  readonly step: number;
}

export interface CutReport {
  cuts: number;
  unavailable: number;
  /** How often the harness itself got no connection in time, and tried again: the machine was busy. */
  waits: number;
  longestMs: number;
  /** The case that took longest. */
  longest: string;
  readonly faults: string[];
}

/** More than any operation sends and receives. */
const MAX_MESSAGES = 400;
/** A connection that is lost for good, and not only late, is not there at the last of these either. */
const PATIENCE = 5;

export async function cutEverywhere(lane: Lane, operation: Operation, { places, times, step }: CutOptions): Promise<CutReport> {
  const report: CutReport = { cuts: 0, unavailable: 0, waits: 0, longestMs: 0, longest: "", faults: [] };
  const done = await undisturbed(lane, operation);
  for (const place of places)
    for (const often of times)
      for (
        let message = 1;
        message <= MAX_MESSAGES && (await cutAt(lane, operation, { cut: { message, place, times: often }, done, report }));
        message += step
      );
  return report;
}

async function undisturbed({ direct }: Lane, operation: Operation): Promise<Contents> {
  const storage = postgresStorage(direct).scope({ tenantId: randomUUID(), agentId: randomUUID() });
  await fillTree(storage);
  await operation.run(storage);
  return contents(storage);
}

/** Answers false when the operation was over before that message. */
async function cutAt(
  { proxy, database, direct }: Lane,
  operation: Operation,
  { cut, done, report }: { readonly cut: Cut; readonly done: Contents; readonly report: CutReport },
): Promise<boolean> {
  const namespace = await patiently(report, async () => {
    const fresh: Namespace = { tenantId: randomUUID(), agentId: randomUUID() };
    await fillTree(postgresStorage(direct).scope(fresh));
    // The connection is there before the count starts.
    await postgresStorage(database).scope(fresh).stat("a.md");
    return fresh;
  });
  const [storage, calm] = [postgresStorage(database).scope(namespace), postgresStorage(direct).scope(namespace)];
  proxy.arm(cut);
  const start = performance.now();
  const outcome = await outcomeOf(operation, storage);
  const ms = performance.now() - start;
  const { cuts } = proxy.disarm();
  report.cuts += cuts;
  const label = `${operation.name}, cut ${cut.place} message ${cut.message} (${cut.times}): ${outcome.answer} ${outcome.code ?? ""}`;
  const faults = [...outcome.faults, ...(await patiently(report, () => stateAfter(calm, outcome, { done, mayBeDone: true })))];
  if (outcome.answer !== "ok") report.unavailable += 1;
  if (ms > report.longestMs) Object.assign(report, { longestMs: ms, longest: label });
  // One lost connection is gone over with a retry; a refusal that the operation ends in anyway stays what it is.
  const expected = operation.refused ?? (cut.times === "once" || cuts === 0 ? "ok" : "unavailable");
  if (outcome.answer !== "ok" && outcome.answer !== "not saved" && outcome.code !== expected && outcome.code !== "unavailable")
    faults.push(`the answer should be ${expected}: ${outcome.message ?? ""}`);
  if (cut.times === "once" && outcome.answer !== "ok" && outcome.code !== operation.refused) faults.push("one cut was not got over");
  report.faults.push(...faults.map((fault) => `${label}: ${fault}`));
  return cuts > 0;
}

/** The harness's own calls, past the cuts. */
async function patiently<T>(report: CutReport, work: () => Promise<T>): Promise<T> {
  for (let left = PATIENCE; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 1 || !isHangoError(error, "unavailable")) throw error;
      report.waits += 1;
    }
  }
}
