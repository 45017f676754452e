import { expect, it } from "vitest";
import { defineStorage } from "../../packages/hango/src/contract/define-storage.ts";
import { memoryStorage } from "../../packages/hango/src/storages/memory.ts";
import { compareAll, fuzzCase, type FuzzFigures } from "./fuzz.ts";

const fresh = (): FuzzFigures => ({ pairs: 0, patterns: 0, lines: 0, matches: 0, differences: [] });
const cases = Array.from({ length: 40 }, (_, at) => fuzzCase(1 + at)).filter((one) => one !== undefined);

it("the machine, RE2 and a storage find the same places, and the figures say how many", async () => {
  const figures = fresh();
  for (const one of cases) await compareAll(one, new Map([["memory", memoryStorage()]]), figures);
  expect(figures.differences).toEqual([]);
  expect([figures.patterns, figures.pairs]).toEqual([cases.length, 5 * cases.length]);
  expect(figures.matches).toBeGreaterThan(cases.length);
});

it("a storage that finds something else is named, with the seed", async () => {
  const { list, read, write, delete: remove, apply } = memoryStorage();
  const wrong = defineStorage({ name: "wrong", list, read, write, delete: remove, apply, grep: async () => [] });
  const figures = fresh();
  for (const one of cases.slice(0, 5)) await compareAll(one, new Map([["wrong", wrong]]), figures);
  expect(figures.differences[0]).toMatch(/^seed \d+: ".*: wrong , the machine \d/s);
});
