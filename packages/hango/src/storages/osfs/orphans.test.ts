import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { descriptorDirectory } from "./directory.ts";
import { temporaryName } from "./hidden-names.ts";
import { openStorage } from "./os-storage.ts";
import { ORPHAN_AGE_MS, sweepOrphans } from "./orphans.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hango-orphans-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, ageMs: number): string {
  writeFileSync(join(root, name), "half of someth");
  const at = new Date(Date.now() - ageMs);
  utimesSync(join(root, name), at, at);
  return name;
}

const x = new TextEncoder().encode("x");

describe.each(["descriptors", "names"] as const)("what a killed write left behind (%s)", (walkBy) => {
  it("goes with the next write beside it once it is a day old: it stayed for ever, where nobody saw it", async () => {
    put(temporaryName(), ORPHAN_AGE_MS + 60_000);
    const young = put(temporaryName(), ORPHAN_AGE_MS - 60_000);
    const storage = openStorage({ directory: root }, walkBy);
    await storage.list();
    expect(readdirSync(root)).toHaveLength(2);
    await storage.write("a.txt", x);
    expect(readdirSync(root).toSorted()).toEqual([young, "a.txt"].toSorted());
    await storage.close?.();
  });

  it("is known by its whole name, and only a file is", async () => {
    const old = ORPHAN_AGE_MS * 3;
    for (const name of [".hango-1.tmp", ".hango-0123456789abcdef01234567.txt", "x.hango-0123456789abcdef01234567.tmp"]) put(name, old);
    mkdirSync(join(root, ".hango-0123456789abcdef01234567.tmp"));
    symlinkSync("a.txt", join(root, ".hango-0123456789abcdef01234568.tmp"));
    const storage = openStorage({ directory: root }, walkBy);
    await storage.write("a.txt", x);
    expect(readdirSync(root)).toHaveLength(6);
    await storage.close?.();
  });
});

it("is looked for once in a directory, so that writes stay as cheap as they were", async () => {
  const storage = openStorage({ directory: root }, "names");
  await storage.write("a.txt", x);
  const later = put(temporaryName(), ORPHAN_AGE_MS * 2);
  await storage.write("b.txt", x);
  expect(readdirSync(root)).toContain(later);
  await storage.write("deeper/c.txt", x);
  await storage.close?.();
});

it.each([
  [2, 0],
  [3, 0],
  [4, 1],
])("looks through so many names and no more: of %i old ones, with room for three, %i stays", (orphans, left) => {
  for (let n = 0; n < orphans; n++) put(temporaryName(), ORPHAN_AGE_MS * 2);
  const directory = descriptorDirectory(root);
  sweepOrphans(directory, new Set(), 3);
  directory.close();
  expect(readdirSync(root)).toHaveLength(left);
});
