import { describe, expect, it, vi } from "vitest";
import { every } from "./every.ts";

describe("work that is done again and again", () => {
  it("starts at a moment of its own and goes on after a failure, one at a time", async () => {
    vi.useFakeTimers();
    try {
      const errors: unknown[] = [];
      let calls = 0;
      const stop = every(
        async () => {
          calls += 1;
          if (calls === 1) throw new Error("first");
        },
        { everyMs: 1_000, random: () => 0.5, onError: (error) => errors.push(error) },
      );
      await vi.advanceTimersByTimeAsync(499);
      expect(calls).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect([calls, errors.length]).toEqual([1, 1]);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(calls).toBe(2);
      await stop();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(calls).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is aborted and waited for at the end, which is no failure", async () => {
    const errors: unknown[] = [];
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const stop = every(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          started();
        }),
      { everyMs: 1, random: () => 0, onError: (error) => errors.push(error) },
    );
    await running;
    await stop();
    expect(errors).toEqual([]);
  });
});
