import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { MAX_REMEMBERED_BATCHES } from "../limits.ts";
import { createBatchGuard, type BatchGuard } from "./batch-guard.ts";

function accepts(guard: BatchGuard, path: string, batchId?: string): boolean {
  try {
    guard.claim(path, batchId);
    return true;
  } catch (error) {
    if (isHangoError(error, "duplicate_mutation")) return false;
    throw error;
  }
}

describe("within one batch", () => {
  it("the first change of a path is taken and the second refused, in call order", () => {
    const guard = createBatchGuard();
    expect([accepts(guard, "/a", "b1"), accepts(guard, "/a", "b1"), accepts(guard, "/b", "b1"), accepts(guard, "/a", "b2")]).toEqual([true, false, true, true]);
  });

  it("a claim covers what is below it, and what is below keeps the directory from going", () => {
    const guard = createBatchGuard();
    expect([accepts(guard, "/docs", "b1"), accepts(guard, "/docs/a", "b1"), accepts(guard, "/docs2", "b1"), accepts(guard, "/docs/a/b/c", "b1")]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([accepts(guard, "/x/y/z", "b2"), accepts(guard, "/x", "b2"), accepts(guard, "/", "b2"), accepts(guard, "/x/y/zz", "b2")]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([accepts(guard, "/", "b3"), accepts(guard, "/any", "b3")]).toEqual([true, false]);
  });

  it("a change that failed gives its path back; one that succeeded keeps it; one that was refused gives nothing back", () => {
    const guard = createBatchGuard();
    const first = guard.claim("/a", "b1");
    expect(accepts(guard, "/a", "b1")).toBe(false);
    first.settle("failed");
    const second = guard.claim("/a", "b1");
    second.settle("done");
    expect(accepts(guard, "/a", "b1")).toBe(false);
  });

  it("paths named like parts of an object are paths", () => {
    const guard = createBatchGuard();
    expect([accepts(guard, "/__proto__", "constructor"), accepts(guard, "/__proto__", "constructor"), accepts(guard, "/__proto__", "__proto__")]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

it("the last 64 batches are remembered", () => {
  const guard = createBatchGuard();
  for (let index = 0; index < MAX_REMEMBERED_BATCHES; index++) guard.claim("/a", `b${index}`);
  expect(accepts(guard, "/a", "b0")).toBe(false);
  guard.claim("/a", "one more");
  expect([accepts(guard, "/a", "b0"), accepts(guard, "/a", `b${MAX_REMEMBERED_BATCHES - 1}`)]).toEqual([false, false]);
  expect(accepts(guard, "/a", "b2")).toBe(false);
  expect(accepts(guard, "/a", "b1")).toBe(true);
});

it("without a batch id, a batch is the calls in flight together", () => {
  const guard = createBatchGuard();
  const first = guard.claim("/a", undefined);
  expect(accepts(guard, "/a")).toBe(false);
  first.settle("done");
  expect(accepts(guard, "/a")).toBe(true);
});
