import { expect, it } from "vitest";
import { withDeadline } from "./deadline.ts";

const late = { deadlineMs: 60_000, onLate: () => new Error("late") };

it("a signal that was aborted just before the wait ends it too", async () => {
  const reason = new Error("no longer wanted");
  await expect(withDeadline(new Promise(() => undefined), { ...late, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

it("a wait ends at its deadline, and one that is answered in time is left alone", async () => {
  await expect(withDeadline(new Promise(() => undefined), { ...late, deadlineMs: 5 })).rejects.toThrow("late");
  expect(await withDeadline(Promise.resolve(7), late)).toBe(7);
});
