import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { MAX_REMEMBERED_BATCHES } from "../limits.ts";
import { createBatchGuard, type BatchGuard, type Outcome } from "./batch-guard.ts";

/** One call after another: each claims, waits for its turn, and ends as told. */
async function accepts(guard: BatchGuard, path: string, batchId?: string, outcome: Outcome = "done"): Promise<boolean> {
  const claim = guard.claim(path, batchId);
  try {
    await claim.turn();
  } catch (error) {
    claim.settle("failed");
    if (isHangoError(error, "duplicate_mutation")) return false;
    throw error;
  }
  claim.settle(outcome);
  return true;
}

async function all(guard: BatchGuard, batchId: string, ...paths: readonly string[]): Promise<readonly boolean[]> {
  const answers: boolean[] = [];
  for (const path of paths) answers.push(await accepts(guard, path, batchId));
  return answers;
}

describe("within one batch", () => {
  it("the first change of a path is taken and the second refused; another batch is another", async () => {
    const guard = createBatchGuard();
    expect(await all(guard, "b1", "/a", "/a", "/b")).toEqual([true, false, true]);
    expect(await accepts(guard, "/a", "b2")).toBe(true);
  });

  it("a claim covers what is below it, and what is below keeps the directory from going", async () => {
    const guard = createBatchGuard();
    expect(await all(guard, "b1", "/docs", "/docs/a", "/docs2", "/docs/a/b/c")).toEqual([true, false, true, false]);
    expect(await all(guard, "b2", "/x/y/z", "/x", "/", "/x/y/zz")).toEqual([true, false, false, true]);
    expect(await all(guard, "b3", "/", "/any")).toEqual([true, false]);
  });

  it("claims are taken in call order, and a later one waits for the earlier to end", async () => {
    const guard = createBatchGuard();
    const [first, second] = [guard.claim("/a", "b1"), guard.claim("/a", "b1")];
    let refused = false;
    const turn = second.turn().catch((error: unknown) => {
      refused = isHangoError(error, "duplicate_mutation");
    });
    await first.turn();
    await Promise.resolve();
    expect(refused).toBe(false);
    first.settle("done");
    await turn;
    expect(refused).toBe(true);
  });

  it("a change that failed lets the next in line through, also when both were called at once: 'a failed first edit should not block the second'", async () => {
    const guard = createBatchGuard();
    const [first, second, third] = [guard.claim("/a", "b1"), guard.claim("/a", "b1"), guard.claim("/a", "b1")];
    await first.turn();
    first.settle("failed");
    await second.turn();
    second.settle("done");
    await expect(third.turn()).rejects.toMatchObject({ code: "duplicate_mutation" });
    third.settle("failed");
    expect(await accepts(guard, "/a", "b1")).toBe(false);
  });

  it("a wait ends with the caller's abort", async () => {
    const guard = createBatchGuard();
    guard.claim("/a", "b1");
    const controller = new AbortController();
    const waiting = guard.claim("/a", "b1").turn(controller.signal);
    controller.abort(new Error("stop"));
    await expect(waiting).rejects.toThrow("stop");
  });

  it("paths named like parts of an object are paths", async () => {
    const guard = createBatchGuard();
    expect(await all(guard, "constructor", "/__proto__", "/__proto__")).toEqual([true, false]);
    expect(await accepts(guard, "/__proto__", "__proto__")).toBe(true);
  });
});

it("the last 64 batches are remembered", async () => {
  const guard = createBatchGuard();
  for (let index = 0; index < MAX_REMEMBERED_BATCHES; index++) await accepts(guard, "/a", `b${index}`);
  expect(await accepts(guard, "/a", "b0")).toBe(false);
  await accepts(guard, "/a", "one more");
  expect([await accepts(guard, "/a", "b0"), await accepts(guard, "/a", `b${MAX_REMEMBERED_BATCHES - 1}`)]).toEqual([false, false]);
  expect(await accepts(guard, "/a", "b2")).toBe(false);
  expect(await accepts(guard, "/a", "b1")).toBe(true);
});

it("without a batch id, a batch is the calls in flight together", async () => {
  const guard = createBatchGuard();
  const [first, second] = [guard.claim("/a", undefined), guard.claim("/a", undefined)];
  first.settle("done");
  await expect(second.turn()).rejects.toMatchObject({ code: "duplicate_mutation" });
  second.settle("failed");
  expect(await accepts(guard, "/a")).toBe(true);
});
