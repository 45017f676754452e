import { describe, expect, it, vi } from "vitest";
import { drain } from "./drain.ts";

function* work(slices: number, done: () => void = () => {}): Generator<void, string> {
  try {
    for (let slice = 0; slice < slices; slice++) yield;
    return "done";
  } finally {
    done();
  }
}

describe("drain", () => {
  it("gives the generator's answer", async () => {
    expect(await drain(work(0))).toBe("done");
    expect(await drain(work(3))).toBe("done");
  });

  it("lets other work run between the slices", async () => {
    const order: string[] = [];
    function* noisy(): Generator<void, void> {
      order.push("one");
      yield;
      order.push("two");
    }
    const other = new Promise<void>((resolve) =>
      setImmediate(() => {
        order.push("other");
        resolve();
      }),
    );
    await Promise.all([drain(noisy()), other]);
    expect(order).toEqual(["one", "other", "two"]);
  });

  it("rethrows the signal's reason between two slices and ends the generator", async () => {
    const reason = new Error("stop");
    let ended = 0;
    const controller = new AbortController();
    setImmediate(() => controller.abort(reason));
    await expect(
      drain(
        work(1_000_000, () => ended++),
        controller.signal,
      ),
    ).rejects.toBe(reason);
    expect(ended).toBe(1);
    await expect(drain(work(1), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it("passes on what the generator throws", async () => {
    // oxlint-disable-next-line require-yield
    function* broken(): Generator<void, void> {
      throw new Error("broken");
    }
    await expect(drain(broken())).rejects.toThrow("broken");
  });

  it('goes on under fake timers: "grep hangs for ever"', async () => {
    vi.useFakeTimers();
    try {
      expect(await drain(work(3))).toBe("done");
    } finally {
      vi.useRealTimers();
    }
  });

  it("gives way without setImmediate too", async () => {
    const { setImmediate: kept } = globalThis;
    Reflect.deleteProperty(globalThis, "setImmediate");
    vi.resetModules();
    try {
      const { drain: inBrowser } = await import("./drain.ts");
      expect(await inBrowser(work(3))).toBe("done");
    } finally {
      globalThis.setImmediate = kept;
    }
  });
});
