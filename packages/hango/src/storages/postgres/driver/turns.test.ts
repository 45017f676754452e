import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

it("gives turns in order of arrival, one at a time", async () => {
  const turns = createTurns();
  const order: number[] = [];
  const first = await turns.take();
  const rest = [1, 2, 3].map(async (n) => {
    const giveOn = await turns.take();
    order.push(n);
    giveOn();
  });
  expect(order).toEqual([]);
  first();
  first();
  await Promise.all(rest);
  expect(order).toEqual([1, 2, 3]);
  (await turns.take())();
});

it("lets an aborted waiter leave the queue with the signal's reason", async () => {
  const turns = createTurns();
  const first = await turns.take();
  const controller = new AbortController();
  const gone = turns.take(controller.signal);
  const next = turns.take();
  const reason = new Error("stop");
  controller.abort(reason);
  await expect(gone).rejects.toBe(reason);
  await expect(turns.take(controller.signal)).rejects.toBe(reason);
  first();
  (await next)();
});
