import { expect, it } from "vitest";
import { fromRoot } from "../../tools/markdown-pages.ts";

const rows = fromRoot("SECURITY.md")
  .split("\n")
  .filter((line) => /^\| T\d+ \|/.test(line));

it("SECURITY.md numbers its threats without a gap", () => {
  expect(rows.map((row) => /T(\d+)/.exec(row)?.[1])).toEqual(Array.from({ length: rows.length }, (_, index) => String(index + 1)));
  expect(rows.length).toBeGreaterThanOrEqual(23);
});

it.each(rows.map((row) => [/T\d+/.exec(row)?.[0], row]))(
  "threat %s links to tests that hold its defence, and to nothing else in that column",
  (_, row = "") => {
    const cells = row.split(" | ");
    expect(cells).toHaveLength(4);
    const targets = [...(cells[3] ?? "").matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(0);
    for (const target of targets) {
      expect(target).toMatch(/\.test\.ts$/);
      expect(fromRoot(target)).toMatch(/\b(?:it|test|describe|\w*[cC]onformance|\w*[iI]solation|bind[A-Z]\w*)\b.*\(/);
    }
  },
);
