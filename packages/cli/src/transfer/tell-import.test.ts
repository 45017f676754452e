import { expect, it } from "vitest";
import type { ImportReport } from "./import-tree.ts";
import { tellImport } from "./tell-import.ts";

const nothing: ImportReport = {
  files: 0,
  replaced: 0,
  bytes: 0,
  unchanged: 0,
  kept: 0,
  older: 0,
  refused: 0,
  left: [],
  leftOut: [],
  skipped: [],
  skippedCount: 0,
  missing: 0,
  passedBy: 0,
};
const tell = (report: Partial<ImportReport>, all = false): readonly string[] => tellImport({ ...nothing, ...report }, { seconds: 2, all });

it("says what was stored and how fast, and no speed of nothing: it said “0 bytes in 9.1 s, 0 bytes/s”", () => {
  expect(tell({ files: 2, bytes: 5_000_000 })).toEqual(["imported 2 new files: 5.0 MB in 2.0 s, 2.5 MB/s"]);
  expect(tell({ replaced: 1, bytes: 2_000 })).toEqual(["imported 0 new files and wrote over 1: 2.0 KB in 2.0 s, 1.0 KB/s"]);
  expect(tell({ unchanged: 3 })).toEqual(["imported 0 new files in 2.0 s", "3 there already, with the same content"]);
});

it.each([5, 6])("names %i files that were not stored, or says how to see them all: “and 5 more” could be seen nowhere", (n) => {
  const skipped = Array.from({ length: n }, (_, i) => ({ path: `l${i}`, reason: "a link" }));
  const five = "l0 (a link), l1 (a link), l2 (a link), l3 (a link), l4 (a link)";
  expect(tell({ skipped, skippedCount: n })[1]).toBe(`${n} not stored: ${n === 5 ? five : `${five} and 1 more (--verbose names them)`}`);
  expect(tell({ skipped, skippedCount: n + 2 }, true)[1]).toBe(
    [`${n} not stored: `.replace(String(n), String(n + 2)), ...skipped.map(({ path }) => `  ${path} (a link)`), "  and 2 more"].join("\n"),
  );
});

it.each([
  [["dist"], "dist (--all takes dist)"],
  [[".git", ".hango", "node_modules"], ".git, .hango, node_modules (--all takes .hango, node_modules)"],
  [[".git"], ".git"],
])("says how to have what it left out, %j: “left out at any depth: dist” named no way", (leftOut, shown) => {
  expect(tell({ leftOut })[1]).toBe(`left out at any depth: ${shown}`);
});

it("cuts a name of megabytes, which an archive may hold: it filled the terminal", () => {
  const [, line = ""] = tell({ skipped: [{ path: "a".repeat(2_000_000), reason: "a link" }], skippedCount: 1 });
  expect(line).toBe(`1 not stored: ${"a".repeat(1_000)}…`);
});
