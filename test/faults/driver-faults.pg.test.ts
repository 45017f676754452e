import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storageOver, type PostgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { bytesOf, ENGINES, openSubject, type Subject } from "../support/postgres-subject.ts";
import { stateFaults } from "./audit-check.ts";
import { type FaultyDriver, faultyDriver, type Place } from "./faulty-driver.ts";
import { contents, fillTree, OPERATIONS, type Operation } from "./operations.ts";
import { type Contents, outcomeOf, stateAfter } from "./outcome.ts";

/** More than any operation makes. */
const MAX_RUNS = 12;
const PLACES: readonly Place[] = ["before", "after", { inside: 0 }, { inside: 1 }, { inside: 2 }];
/** PGlite, which is slow, is asked for what depends on the engine: what is left of a change that was sent. */
const SENT: readonly Place[] = ["after", { inside: 1 }, { inside: 2 }];

describe.each(ENGINES)("on %s a database that fails", (engine) => {
  let subject: Subject;
  let driver: FaultyDriver;
  let faulty: PostgresStorage;
  beforeAll(async () => {
    subject = await openSubject(engine);
    driver = faultyDriver(subject.driver);
    faulty = storageOver(driver);
  });
  afterAll(() => subject.close());

  async function done(operation: Operation): Promise<Contents> {
    const storage = subject.storage.scope(subject.namespace());
    await fillTree(storage);
    await operation.run(storage);
    return contents(storage);
  }

  /** Answers false when the operation made fewer runs than that. */
  async function interrupt(operation: Operation, fault: { readonly call: number; readonly place: Place; readonly done: Contents }): Promise<boolean> {
    const { call, place } = fault;
    const namespace = subject.namespace();
    await fillTree(subject.storage.scope(namespace));
    const storage = faulty.scope(namespace);
    driver.failRun(call, place);
    const outcome = await outcomeOf(operation, storage);
    const { met, runs } = driver.disarm();
    const label = `${operation.name}, run ${call}, ${JSON.stringify(place)}: ${outcome.answer} ${outcome.code ?? ""} ${outcome.message ?? ""}`;
    // What was offloaded once is there, also when the same call is offloaded again and that fails.
    const mayBeDone = place === "after" || operation.name === "offload of the same call again";
    const faults = [...outcome.faults, ...(await stateAfter(storage, outcome, { done: fault.done, mayBeDone }))];
    expect(faults, label).toEqual([]);
    if (!met) expect(["ok", "failed"], label).toContain(outcome.answer);
    await storage.write("next", bytesOf("the next call works"));
    return runs >= call;
  }

  const operations = engine === "postgres" ? OPERATIONS : OPERATIONS.filter(({ reads }) => reads !== true);

  it.each(operations.map((operation) => [operation.name, operation] as const))("in any run of %s", async (_, operation) => {
    const result = await done(operation);
    for (const place of engine === "postgres" ? PLACES : SENT)
      for (let call = 1; call <= MAX_RUNS && (await interrupt(operation, { call, place, done: result })); call++);
    expect(await stateFaults(subject.query)).toEqual([]);
  });
});
