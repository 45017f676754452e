import { describe, expect, it } from "vitest";
import { createRate, type Rate } from "./rate.ts";

const at = { now: 0 };
const rateOf = (each: number, maxRemembered = 100): Rate => createRate({ each, windowMs: 60_000, maxRemembered, now: () => at.now });
const isTaken = (rate: Rate, who: string): boolean => {
  try {
    rate.check(who, "Too many");
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "unavailable", details: { busy: "rate" } });
    return false;
  }
};

describe("what one person may do so often", () => {
  it.each([
    [2, true],
    [3, false],
    [4, false],
  ])("after %i of three another one is taken: %s", (done, taken) => {
    at.now = 0;
    const rate = rateOf(3);
    for (let n = 0; n < done; n++) rate.count("ada");
    expect(isTaken(rate, "ada")).toBe(taken);
    expect(isTaken(rate, "bob")).toBe(true);
  });

  it("is free again when its minute ends, which more of it does not put off", () => {
    at.now = 0;
    const rate = rateOf(1);
    rate.count("ada");
    at.now = 59_999;
    expect(() => rate.check("ada", "Too many changes were refused")).toThrow("Too many changes were refused: 1 a minute are the most. Try again in 1 seconds.");
    rate.count("ada");
    at.now = 60_000;
    expect(isTaken(rate, "ada")).toBe(true);
  });

  it("is remembered of a bounded number of people", () => {
    at.now = 0;
    const rate = rateOf(1, 2);
    for (const who of ["a", "b", "c"]) rate.count(who);
    expect(["a", "b", "c"].map((who) => isTaken(rate, who))).toEqual([true, false, false]);
  });
});
