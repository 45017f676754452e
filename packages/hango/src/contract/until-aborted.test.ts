import { describe, expect, it, vi } from "vitest";
import { untilAborted } from "./until-aborted.ts";

const reason = new Error("enough");

describe("untilAborted", () => {
  it("answers or fails as what it waits for", async () => {
    for (const signal of [undefined, new AbortController().signal]) {
      expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
      await expect(untilAborted(Promise.reject(new Error("own")), signal)).rejects.toThrow("own");
    }
  });

  it("ends with the reason of an abort that comes meanwhile, and of one that came before, also when all is done", async () => {
    const stop = new AbortController();
    const waiting = untilAborted(new Promise(() => undefined), stop.signal);
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(untilAborted(Promise.resolve(1), stop.signal)).rejects.toBe(reason);
  });

  it("leaves no unhandled rejection behind, which would end the process, of what fails after an abort", async () => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    try {
      const { promise, reject } = Promise.withResolvers<void>();
      await expect(untilAborted(promise, AbortSignal.abort(reason))).rejects.toBe(reason);
      reject(new Error("late"));
      await new Promise(setImmediate);
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off("unhandledRejection", unhandled);
    }
  });

  it("keeps no listener on the signal", async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    await untilAborted(Promise.resolve(), signal);
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener));
    expect(add).toHaveBeenCalledOnce();
  });
});
