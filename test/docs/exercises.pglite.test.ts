import { expect, it } from "vitest";
import { loadTree } from "../../examples/load-and-dump.ts";
import { uuidFor } from "hango";
import { openDatabase } from "hango/postgres";
import { fromRoot } from "../../tools/markdown-pages.ts";
import { outputsOf, runExercise } from "./run-exercise.ts";

it("the exercise over the API prints what the page says", async () => {
  const path = "examples/exercises/write-and-read.ts";
  expect(await runExercise(path)).toBe(outputsOf(fromRoot("docs/learning/08-virtual-filesystem-and-offload.md")).get(path));
});

it("the example of loading and dumping runs", async () => {
  const database = await openDatabase("pglite:");
  try {
    const files = ["a.md", "docs/b.md"].map((path) => ({ path, bytes: new TextEncoder().encode(path) }));
    expect(await loadTree(database, { tenantId: uuidFor("acme"), agentId: uuidFor("researcher") }, files)).toEqual(["docs/b.md"]);
  } finally {
    await database.close();
  }
});
