import { expect, it } from "vitest";
import { inputAt } from "./inputs.ts";
import { watchStalls } from "./stall.ts";
import { fibonacci } from "./texts.ts";
import { makeWorld, worldFiles } from "./world.ts";

const size = { seed: 3, textBytes: 4_096, paths: 50 };

it("the same seed and number give the same call, in a tree of the same files", () => {
  const [one, two] = [makeWorld(size), makeWorld(size)];
  expect(two).toEqual(one);
  expect(inputAt(two, 17)).toEqual(inputAt(one, 17));
  expect(inputAt(makeWorld({ ...size, seed: 4 }), 17)).not.toEqual(inputAt(one, 17));
});

it("every kind of call comes up, and no needle, glob or path is beyond what it may be", () => {
  const world = makeWorld(size);
  const inputs = Array.from({ length: 300 }, (_, number) => inputAt(world, number));
  expect(new Set(inputs.map(({ kind }) => kind))).toEqual(new Set(["grep", "glob", "edit"]));
  for (const input of inputs) if (input.kind === "edit") expect(input.oldText.length).toBeLessThanOrEqual(66_000 * 2);
  for (const path of worldFiles(world).keys()) expect(Buffer.byteLength(path)).toBeLessThanOrEqual(512);
});

it("the Fibonacci word is what it is called", () => {
  expect(fibonacci(13)).toBe("abaababaabaab");
});

it("a stall that is under way is seen", () => {
  const watch = watchStalls();
  try {
    watch.take();
    for (const end = performance.now() + 40; performance.now() < end;);
    expect(watch.take().ms).toBeGreaterThanOrEqual(30);
  } finally {
    watch.stop();
  }
});
