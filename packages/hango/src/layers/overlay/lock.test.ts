import { describe, expect, it } from "vitest";
import { createLock } from "./lock.ts";

describe("createLock", () => {
  it("runs one change after the other, in the order of the calls, also after one that failed", async () => {
    const lock = createLock();
    const order: number[] = [];
    const ends = await Promise.allSettled(
      [0, 1, 2].map((number) =>
        lock.change(async () => {
          order.push(number);
          await Promise.resolve();
          order.push(number);
          if (number === 0) throw new Error("no");
        }),
      ),
    );
    expect(order).toEqual([0, 0, 1, 1, 2, 2]);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  });

  it("lets readers pass a change, but none that comes after what runs alone", async () => {
    const lock = createLock();
    const { promise: open, resolve: go } = Promise.withResolvers<void>();
    const order: string[] = [];
    const change = lock.change(() => open);
    await lock.free(undefined);
    const alone = lock.change(async () => void order.push("alone"), { alone: true });
    const reader = lock.free(undefined).then(() => order.push("reader"));
    lock.soon(() => order.push("soon"));
    go();
    await Promise.all([change, alone, reader]);
    expect(order).toEqual(["alone", "soon", "reader"]);
    lock.soon(() => order.push("at once"));
    expect(order).toHaveLength(4);
  });

  it("gives up its turn when it is aborted while it waits, and the next one still waits for the first", async () => {
    const lock = createLock();
    const { promise: open, resolve: go } = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = lock.change(async () => {
      await open;
      order.push("first");
    });
    const controller = new AbortController();
    const second = lock.change(async () => void order.push("second"), { signal: controller.signal });
    const third = lock.change(async () => void order.push("third"));
    controller.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    expect(order).toEqual([]);
    go();
    await Promise.all([first, third]);
    expect(order).toEqual(["first", "third"]);
  });
});
