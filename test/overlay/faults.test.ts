import { describe, expect, it } from "vitest";
import { createOverlay, defineStorage, memoryStorage, type Storage } from "hango";
import { type Fault, faultyStorage } from "../../packages/hango/src/layers/faulty.ts";

const encoder = new TextEncoder();
const ERRORS: readonly Fault["error"][] = [undefined, new Error("EIO at /srv/disk")];

/** Without apply, so that a commit takes a step a file; counts the writes and deletes of each path. */
function inSteps(inner: Storage, counts: Map<string, number>): Storage {
  const count = (path: string): void => void counts.set(path, (counts.get(path) ?? 0) + 1);
  return defineStorage({
    name: "in steps",
    list: (options) => inner.list(options),
    read: (path, options) => inner.read(path, options),
    write: async (path, bytes, options) => {
      count(path);
      return inner.write(path, bytes, options);
    },
    delete: async (path, options) => {
      count(path);
      return inner.delete(path, options);
    },
  });
}

async function contents(storage: Storage): Promise<Readonly<Record<string, string>>> {
  const files: [string, string][] = [];
  for (const { path } of await storage.list()) files.push([path, new TextDecoder().decode((await storage.read(path)).bytes)]);
  return Object.fromEntries(files);
}

async function filled(): Promise<Storage> {
  const storage = memoryStorage();
  for (let index = 0; index < 14; index++) await storage.write(`f${String(index).padStart(2, "0")}`, encoder.encode(`base ${index}`));
  return storage;
}

/** 20 changes: 7 deletes, 7 modified (one of the same size), 6 new, and a write that is none. */
async function draft(storage: Storage): Promise<void> {
  for (let index = 0; index < 14; index++) {
    const path = `f${String(index).padStart(2, "0")}`;
    if (index % 2 === 0) await storage.delete(path);
    else await storage.write(path, encoder.encode(index === 1 ? "BASE 1" : `draft ${index}`));
  }
  for (let index = 0; index < 6; index++) await storage.write(`n${index}`, encoder.encode(`new ${index}`));
}

interface Interrupted {
  readonly met: "not" | "in the draft" | "in the commit";
}

async function interrupt(fault: Fault, hasApply: boolean): Promise<Interrupted> {
  const [inner, calm] = [await filled(), await filled()];
  await draft(calm);
  const wanted = await contents(calm);
  const before = await contents(inner);
  const counts = new Map<string, number>();
  let met = false;
  const { error } = fault;
  const overlay = createOverlay({
    base: faultyStorage(hasApply ? inner : inSteps(inner, counts), { ...fault, onFault: () => (met = true), ...(error === undefined ? {} : { error }) }),
  });
  const label = `call ${fault.call} ${fault.when}, apply: ${hasApply}`;
  try {
    await draft(overlay.storage);
  } catch {
    return { met: "in the draft" };
  }
  const outcome = await overlay.commit().then(
    () => ({ ok: true as const }),
    (reason: unknown) => ({ ok: false as const, reason }),
  );
  const now = await contents(inner);
  if (outcome.ok) expect([now, await overlay.changes()], label).toEqual([wanted, []]);
  else {
    // What was reported applied is applied, in order; the rest is pending.
    const pending = new Set((await overlay.changes()).map(({ path }) => path));
    const { applied = 0 } = (outcome.reason as { details?: { applied?: number } }).details ?? {};
    const paths = [...new Set([...Object.keys(before), ...Object.keys(wanted)])];
    const asWanted = paths.filter((path) => now[path] === wanted[path]);
    expect(paths.filter((path) => !asWanted.includes(path)).toSorted(), label).toEqual([...pending].toSorted());
    if (hasApply) expect([before, wanted], label).toContainEqual(now);
    const lost = fault.when === "after" ? 1 : 0;
    if (!hasApply) expect([applied, applied + lost], label).toContain(asWanted.length);
    for (const path of pending) expect(now[path], label).toBe(before[path]);
  }
  await overlay.commit();
  expect([await contents(inner), await overlay.changes()], label).toEqual([wanted, []]);
  if (!hasApply && fault.when === "before") for (const [path, count] of counts) expect(count, `${label}: ${path}`).toBe(1);
  return { met: met ? "in the commit" : "not" };
}

describe("a commit of 20 changes, interrupted at every call of the base,", () => {
  it.each([
    ["in steps", false],
    ["at once", true],
  ])("%s: what was reported applied is applied, the rest is pending, and a retry finishes it", async (_, hasApply) => {
    let interrupted = 0;
    let first = 1;
    while ((await interrupt({ on: "any", call: first, when: "before" }, hasApply)).met === "in the draft") first += 1;
    for (const when of ["before", "after"] as const)
      for (const error of ERRORS)
        for (let call = first; ; call++) {
          const { met } = await interrupt({ on: "any", call, when, error }, hasApply);
          if (met === "not") break;
          if (met === "in the commit") interrupted += 1;
        }
    // In steps the base is looked at 20 times, then changed 20 times; at once it is one call.
    expect(interrupted).toBeGreaterThanOrEqual(ERRORS.length * 2 * (hasApply ? 1 : 40));
  });
});
