import { describe, expect, it } from "vitest";
import { percentile, summaryOf } from "./stats.ts";

describe("percentile", () => {
  it.each([
    [[7], 0.5, 7],
    [[3, 1, 2], 0.5, 2],
    [[4, 1, 3, 2], 0.5, 2],
    [Array.from({ length: 100 }, (_, at) => at + 1), 0.99, 99],
    [Array.from({ length: 101 }, (_, at) => at + 1), 0.99, 100],
  ])("of %j at %d is %d", (samples, share, expected) => {
    expect(percentile(samples, share)).toBe(expected);
  });

  it("of nothing is no number", () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe("summaryOf", () => {
  it("counts, and takes the median, the fastest tenth and the slowest hundredth", () => {
    expect(summaryOf([1, 2, 9])).toEqual({ samples: 3, medianMs: 2, p10Ms: 1, p99Ms: 9 });
  });
});
