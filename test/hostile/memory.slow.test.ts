import { describe, expect, it } from "vitest";
import { bindHostile, shortCount, shortWorld } from "./bind.ts";
import { inputAt, shownInput } from "./inputs.ts";
import { memorySubject } from "./subjects.ts";
import { countWork } from "./work.ts";

const INPUTS = 100;

bindHostile("memory", memorySubject, INPUTS);

describe("the work of hostile input", () => {
  const count = shortCount(INPUTS);

  it("stays within its limits, in all and between two pauses", { timeout: 60_000 + 5_000 * count }, () => {
    for (let number = 0; number < count; number++) {
      const input = inputAt(shortWorld, number);
      expect(countWork(shortWorld, input).broken, `input ${number}: ${shownInput(input)}`).toEqual([]);
    }
  });
});
