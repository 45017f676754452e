import { describe, expect, it } from "vitest";
import { fromRoot } from "../../tools/markdown-pages.ts";
import { outputsOf, runExercise } from "./run-exercise.ts";

const outputs = outputsOf(fromRoot("docs/learning/08-virtual-filesystem-and-offload.md"));

describe("the exercises of the learning page", () => {
  it("are four", () => {
    expect([...outputs.keys()].toSorted()).toEqual(
      ["force-an-offload", "race-two-writers", "try-a-traversal", "write-and-read"].map((name) => `examples/exercises/${name}.ts`),
    );
  });

  // The one over the API opens a database: exercises.pglite.test.ts.
  it.each([...outputs].filter(([path]) => !path.includes("write-and-read")))("%s prints what the page says", async (path, said) => {
    expect(await runExercise(path)).toBe(said);
  });
});
