import { describe, expect, it } from "vitest";
import { createProgress } from "./progress.ts";

function shown(isTTY: boolean): {
  readonly lines: readonly string[];
  readonly update: (atMs: number, files: number, bytes: number) => void;
  readonly end: () => void;
} {
  const lines: string[] = [];
  let now = 0;
  const out = { isTTY, columns: 90, write: (text: string) => lines.push(text) > 0 };
  const progress = createProgress({ what: "importing", totalFiles: 5_000, totalBytes: 300_000_000, out, now: () => now });
  return {
    lines,
    update: (atMs, files, bytes) => {
      now = atMs;
      progress.update(files, bytes);
    },
    end: progress.end,
  };
}

describe("a progress line", () => {
  it("says files, bytes, rate and time left, at most ten times a second, and goes away", () => {
    const { lines, update, end } = shown(true);
    update(1_000, 500, 30_000_000);
    update(1_050, 510, 31_000_000);
    update(1_100, 550, 33_000_000);
    end();
    expect(lines).toEqual([
      "\r" + "importing [==                  ] 500 of 5,000 files, 30 MB of 300 MB, 30 MB/s, 9 s left" + "\u001B[K",
      "\r" + "importing [==                  ] 550 of 5,000 files, 33 MB of 300 MB, 30 MB/s, 9 s left" + "\u001B[K",
      "\r\u001B[K",
    ]);
  });

  it("stays silent where nobody watches", () => {
    const { lines, update, end } = shown(false);
    update(1_000, 1, 1);
    end();
    expect(lines).toEqual([]);
  });
});
