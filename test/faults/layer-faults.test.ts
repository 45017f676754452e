import { describe, expect, it } from "vitest";
import { defineStorage } from "../../packages/hango/src/contract/define-storage.ts";
import { type Fault, faultyStorage } from "../../packages/hango/src/layers/faulty.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { memoryStorage } from "../../packages/hango/src/storages/memory.ts";
import { contents, fillTree, OPERATIONS, type Operation } from "./operations.ts";
import { outcomeOf, stateAfter } from "./outcome.ts";

/** More than any operation makes. */
const MAX_CALLS = 12;
const ERRORS: readonly Fault["error"][] = [undefined, new Error("ECONNRESET at /srv/host.sock"), "thrown text"];

async function interrupt(operation: Operation, fault: Fault): Promise<boolean> {
  const [inner, calm] = [memoryStorage(), memoryStorage()];
  for (const storage of [inner, calm]) await fillTree(storage);
  await operation.run(calm);
  let met = false;
  const thrown = fault.error;
  const storage = faultyStorage(inner, { ...fault, onFault: () => (met = true), ...(thrown === undefined ? {} : { error: thrown }) });
  const outcome = await outcomeOf(operation, storage);
  const mayBeDone = fault.when === "after" || operation.name === "offload of the same call again";
  const label = `${operation.name}, call ${fault.call} ${fault.when}: ${outcome.answer} ${outcome.code ?? ""} ${outcome.message ?? ""}`;
  expect([...outcome.faults, ...(await stateAfter(inner, outcome, { done: await contents(calm), mayBeDone }))], label).toEqual([]);
  const now = await contents(inner);
  // The same call again: it is done, or it says that there is nothing left to do.
  const again = await outcomeOf(operation, inner);
  expect(again.faults, label).toEqual([]);
  expect([now, await contents(calm)], label).toContainEqual(again.answer === "ok" ? await contents(inner) : now);
  return met;
}

describe("a storage that fails", () => {
  it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))("in any call of %s", async (_, operation) => {
    let faults = 0;
    for (const when of ["before", "after"] as const)
      for (const error of ERRORS) for (let call = 1; call <= MAX_CALLS && (await interrupt(operation, { on: "any", call, when, error })); call++) faults += 1;
    // Memory keeps no record, which is all that these two ask of it.
    expect(faults > 0).toBe(operation.name !== "record" && !operation.name.includes("/memories/no"));
  });

  it("and has no apply says how far a recursive delete came, and the next one finishes it", async () => {
    const { list, read, write, delete: remove } = memoryStorage();
    const inner: Storage = defineStorage({ name: "plain", list, read, write, delete: remove });
    for (const name of ["a", "b", "c"]) await inner.write(`d/${name}`, new Uint8Array(1));
    const operation = OPERATIONS.find(({ name }) => name === "fs.delete of a directory") as Operation;
    await expect(operation.run(faultyStorage(inner, { on: "delete", call: 2 }))).rejects.toMatchObject({
      code: "unavailable",
      path: "/d/b",
      message: expect.stringContaining("Deleted 1 of 3 files below /d"),
      details: { deleted: 1 },
    });
    expect((await inner.list()).map(({ path }) => path)).toEqual(["d/b", "d/c"]);
    await operation.run(inner);
    expect(await inner.list()).toEqual([]);
  });
});
