import { expect, it } from "vitest";
import { doPlainReadsEscape, runAttack } from "./attack.ts";

const seconds = Number(process.env["HANGO_ATTACK_SECONDS"] ?? 3);

it("nothing crosses the root while another process swaps directories, files and links", { timeout: 60_000 + 2_000 * seconds }, async () => {
  const { operations, swaps, outcomes, escapes, drafts, descriptors } = await runAttack(seconds);
  process.stdout.write(`${operations} operations, ${swaps} swaps: ${JSON.stringify(Object.fromEntries([...outcomes].sort()))}\n`);
  expect([escapes, drafts, descriptors]).toEqual([[], 0, 0]);
  // Raced by swaps, a call may fail, but always with a reason.
  expect([...outcomes.keys()].filter((outcome) => outcome.includes("internal"))).toEqual([]);
  for (const outcome of ["read ok", "write ok", "grep ok"]) expect(outcomes.has(outcome)).toBe(true);
});

it("the same attack does lead plain reads outside, so the check above can see an escape", async () => {
  expect(await doPlainReadsEscape(30)).toBe(true);
});
