import { describe, expect, it } from "vitest";
import { interleave } from "./interleave.ts";

describe("interleave", () => {
  it("takes turns in order, then in reverse, and leaves the warm-up out of the samples", async () => {
    const order: string[] = [];
    const variant = (name: string) => async (): Promise<number> => {
      order.push(name);
      return 0;
    };
    const samples = await interleave(new Map(["a", "b", "c"].map((name) => [name, variant(name)])), { rounds: 1, warmups: 1 });
    expect(order.join("")).toBe("abccbaabccba");
    expect([...samples.values()].map((each) => each.length)).toEqual([2, 2, 2]);
  });

  it("stops when the variants answer differently", async () => {
    const variants = new Map([
      ["a", async () => 1],
      ["b", async () => 2],
    ]);
    await expect(interleave(variants, { rounds: 1, warmups: 0 })).rejects.toThrow(/do not do the same.*"a",1.*"b",2/);
  });
});
