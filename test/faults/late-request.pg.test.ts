import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { postgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { bytesOf, textAt } from "../support/postgres-subject.ts";
import { stateFaults } from "./audit-check.ts";
import type { Lane } from "./cut-everywhere.ts";
import { type Lanes, openLanes } from "./lanes.ts";

/** Long after the retry was answered. */
const LATE_MS = 400;

interface Late {
  readonly name: string;
  readonly call: (storage: Storage) => Promise<unknown>;
  /** What happens between the answer to the retry and the arrival of the first request. */
  readonly between: (storage: Storage) => Promise<unknown>;
  readonly files: readonly (readonly [string, string])[];
}

const LATE: readonly Late[] = [
  {
    name: "a create does not bring a deleted file back",
    call: (storage) => storage.write("new", bytesOf("late"), { ifVersion: "absent" }),
    between: (storage) => storage.delete("new"),
    files: [["a", "start"]],
  },
  {
    name: "an unconditional write does not cover a newer one",
    call: (storage) => storage.write("a", bytesOf("late")),
    between: (storage) => storage.write("a", bytesOf("newer")),
    files: [["a", "newer"]],
  },
  {
    name: "a delete does not take the file that was made since",
    call: (storage) => storage.delete("a"),
    between: (storage) => storage.write("a", bytesOf("newer")),
    files: [["a", "newer"]],
  },
  {
    name: "a commit does not happen twice",
    call: async (storage) =>
      storage.apply?.([
        { kind: "modify", path: "a", bytes: bytesOf("late") },
        { kind: "create", path: "new", bytes: bytesOf("late") },
      ]),
    between: async (storage) =>
      storage.apply?.([
        { kind: "modify", path: "a", bytes: bytesOf("newer") },
        { kind: "delete", path: "new" },
      ]),
    files: [["a", "newer"]],
  },
];

describe.each([false, true])("a request that arrives after its retry was answered (row-level security: %s)", (fenced) => {
  let lanes: Lanes;
  beforeAll(async () => {
    lanes = await openLanes(inject("postgresUrl"), { count: 1, fenced });
  });
  afterAll(() => lanes.close());

  async function start(): Promise<{ readonly lane: Lane; readonly storage: Storage; readonly direct: Storage }> {
    const [lane] = lanes.lanes;
    if (lane === undefined) throw new Error("there is one lane");
    const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
    const [storage, direct] = [postgresStorage(lane.database).scope(namespace), postgresStorage(lane.direct).scope(namespace)];
    // The connection is there already, since only its requests are held back.
    await storage.write("a", bytesOf("start"));
    return { lane, storage, direct };
  }

  it("does arrive: one whose caller left before a retry is carried out", async () => {
    const { lane, storage, direct } = await start();
    const controller = new AbortController();
    lane.proxy.holdRequests(LATE_MS);
    const left = storage.write("a", bytesOf("late"), { signal: controller.signal });
    left.catch(() => undefined);
    await vi.waitUntil(() => lane.proxy.disarm().cuts === 1, { interval: 2 });
    controller.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    await new Promise((resolve) => setTimeout(resolve, LATE_MS * 2));
    expect(await textAt(direct, "a")).toBe("late");
    expect(await stateFaults(lanes.query)).toEqual([]);
  });

  it.each(LATE.map((late) => [late.name, late] as const))("%s", async (_, { call, between, files }) => {
    const { lane, storage, direct } = await start();
    lane.proxy.holdRequests(LATE_MS);
    await call(storage);
    expect(lane.proxy.disarm().cuts).toBe(1);
    await between(direct);
    await new Promise((resolve) => setTimeout(resolve, LATE_MS * 2));
    expect(await Promise.all((await direct.list()).map(async ({ path }) => [path, await textAt(direct, path)]))).toEqual(files);
    expect(await stateFaults(lanes.query)).toEqual([]);
  });
});
