import { describe, expect, it } from "vitest";
import { tableOf } from "./report.ts";

const of = (medianMs: number): { samples: number; medianMs: number; p10Ms: number; p99Ms: number } => ({
  samples: 4,
  medianMs,
  p10Ms: medianMs / 2,
  p99Ms: 200,
});

describe("tableOf", () => {
  it("gives medians, p99s and the ratio of medians, its columns under each other", () => {
    const table = tableOf([{ engine: "pglite", files: 5000, operation: "read", bare: of(0.2), library: of(0.3), session: of(12) }]);
    expect(table.split("\n")[2]).toBe("| pglite | 5,000 | read      | 4 |   0.200 | 200 |    0.300 | 200 |  1.50 |   1.50 |       12.0 | 200 | 60.00 |");
    expect(new Set(table.split("\n").map((line) => line.length)).size).toBe(1);
  });
});
