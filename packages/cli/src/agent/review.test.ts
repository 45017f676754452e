import { createOverlay, memoryStorage, type Overlay, type Storage } from "hango";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { applyChanges } from "./apply-changes.ts";
import type { RunEnd } from "./follow-run.ts";
import { type ReviewOptions, review } from "./review.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const finished: RunEnd = { how: "finished", calls: 1, inputTokens: 1, outputTokens: 1 } as RunEnd;
const options: ReviewOptions = { yes: false, dryRun: false, interactive: false, run: finished, sessionId: "0b5a3c9e-7a55-4d39-9d5a-0f6f4f3f1c11" };

let [out, err] = ["", ""];
beforeEach(() => {
  [out, err] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text: unknown, done?: unknown) => {
    out += String(text);
    if (typeof done === "function") (done as () => void)();
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

async function pending(): Promise<{ readonly base: Storage; readonly overlay: Overlay }> {
  const base = memoryStorage();
  await base.write("a.txt", encode("one\n"));
  await base.write("b.txt", encode("one\n"));
  const overlay = createOverlay({ base });
  await overlay.storage.write("a.txt", encode("two\n"));
  await overlay.storage.write("b.txt", encode("two\n"));
  return { base, overlay };
}

const textOf = async (base: Storage, path: string): Promise<string> => new TextDecoder().decode((await base.read(path)).bytes);

describe("a file that a person changed while the agent worked", () => {
  it("is named before any question, and nothing is applied: the conflict showed only after the yes", async () => {
    const { base, overlay } = await pending();
    await base.write("a.txt", encode("mine\n"));
    expect(await overlay.conflicts()).toEqual(["a.txt"]);
    expect(await review(overlay, { ...options, yes: true })).toBe(4);
    expect(err).toMatch(/changed while the agent worked, and were left as they are now:\nhango: {3}a\.txt\nhango: 2 changes not applied: a\.txt, b\.txt/);
    expect(out).not.toContain("Apply these");
    expect([await textOf(base, "a.txt"), await textOf(base, "b.txt")]).toEqual(["mine\n", "one\n"]);
  });

  it.each([
    ["a dry run", { dryRun: true }],
    ["nobody who could answer", {}],
  ])("is named with %s too, which ends as ever", async (_, given) => {
    const { base, overlay } = await pending();
    await base.write("a.txt", encode("mine\n"));
    expect(await review(overlay, { ...options, ...given })).toBe(0);
    expect(err).toContain("hango:   a.txt\n");
  });

  it("is not written over either when it changes between the question and the yes", async () => {
    const { base, overlay } = await pending();
    const changes = await overlay.changes();
    await base.write("b.txt", encode("mine\n"));
    expect(await applyChanges(overlay, { ...options, changes })).toBe(4);
    expect(err).toContain("hango:   b.txt\n");
    expect([await textOf(base, "a.txt"), await textOf(base, "b.txt")]).toEqual(["one\n", "mine\n"]);
  });

  it("stops nothing once it holds what the agent wrote", async () => {
    const { base, overlay } = await pending();
    await base.write("a.txt", encode("two\n"));
    expect(await overlay.conflicts()).toEqual([]);
    expect(await review(overlay, { ...options, yes: true })).toBe(0);
    expect(await textOf(base, "b.txt")).toBe("two\n");
  });
});
