import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortDiff, unifiedFileDiff } from "./diff.ts";

const body = (before: string, after: string, context?: number): string =>
  unifiedFileDiff("f", before, after, context === undefined ? {} : { context })
    .split("\n")
    .slice(2)
    .join("\n");

describe("unifiedFileDiff", () => {
  it("has headers with the path in either form", () => {
    const expected = "--- a/docs/x\n+++ b/docs/x\n@@ -1 +1 @@\n-a\n+b\n";
    expect(unifiedFileDiff("docs/x", "a\n", "b\n")).toBe(expected);
    expect(unifiedFileDiff("/docs/x", "a\n", "b\n")).toBe(expected);
  });

  it("is empty when nothing changed", () => {
    expect(unifiedFileDiff("x", "a\n", "a\n")).toBe("");
    expect(unifiedFileDiff("x", undefined, undefined)).toBe("");
  });

  it("names a file that is not there /dev/null, and shows an empty one by its header alone", () => {
    expect(unifiedFileDiff("x", undefined, "a\n")).toBe("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
    expect(unifiedFileDiff("x", "a\n", undefined)).toBe("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
    expect(unifiedFileDiff("x", undefined, "")).toBe("--- /dev/null\n+++ b/x\n");
  });

  it("splits on LF only: createPatch then applyPatch failed with U+2028", () => {
    expect(body("A\n\n", "A\nB\u2028\nC\n\n")).toBe("@@ -1,2 +1,4 @@\n A\n+B\u2028\n+C\n \n");
    expect(body("a\rb\n", "a\rc\n")).toBe("@@ -1 +1 @@\n-a\rb\n+a\rc\n");
  });

  it("shows a change of line ends alone", () => {
    expect(body("a\r\nb\n", "a\nb\n")).toBe("@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n");
  });

  it("marks a missing final newline", () => {
    expect(body("a\nb", "a\nb\n")).toBe("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
    expect(body("a", "b")).toBe("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
  });

  it("joins hunks whose context touches, and no others", () => {
    const lines = (changed: readonly number[]): string =>
      Array.from({ length: 20 }, (_, index) => `${changed.includes(index) ? "new" : "line"} ${index}\n`).join("");
    const hunks = (changed: readonly number[], context?: number): number => body(lines([]), lines(changed), context).match(/^@@/gm)?.length ?? 0;
    expect([hunks([2, 9]), hunks([2, 10]), hunks([2, 3], 0), hunks([2, 4], 0), hunks([0, 19])]).toEqual([1, 2, 1, 2, 2]);
    expect(body(lines([]), lines([2, 10])).match(/^@@.*$/gm)).toEqual(["@@ -1,6 +1,6 @@", "@@ -8,7 +8,7 @@"]);
  });

  it("applies: an independent patcher gets the new text back", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "a\r\n", "x\u2028\n", "a"), { maxLength: 20 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, fc.nat(4), (before, after, context) => {
        const diff = unifiedFileDiff("f", before, after, { context });
        if (before === after) expect(diff).toBe("");
        else expect(applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 3000 },
    );
  });

  it("falls back to one hunk between the equal ends when there are too many edits", () => {
    const numbered = (word: string, count: number): string => Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");
    const before = `head\n${numbered("old", 3000)}tail\n`;
    const diff = unifiedFileDiff("f", before, `head\n${numbered("new", 3000)}tail\n`);
    expect(diff.match(/^@@.*$/gm)).toEqual(["@@ -1,3002 +1,3002 @@"]);
    expect(applyPatch(before, diff)).toBe(`head\n${numbered("new", 3000)}tail\n`);
  });

  it("takes a million lines on either side", () => {
    expect(unifiedFileDiff("f", undefined, "x\n".repeat(1_000_000))).toHaveLength(3_000_000 + "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1000000 @@\n".length);
    expect(body("x\n".repeat(1_000_000), "x\n".repeat(999_999))).toBe("@@ -999997,4 +999997,3 @@\n x\n x\n x\n-x\n");
  });

  it("shows the same hunks of a small change wherever it stands, with any context", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index % 3}\n`);
    for (const context of [0, 1, 3, 40, Number.POSITIVE_INFINITY])
      for (let at = 0; at < 40; at++)
        for (const changed of ["line 1", "line 0\nline 1\n", "", "line 1\r\n"]) {
          const before = lines.join("");
          const after = lines.with(at, changed).join("");
          const diff = unifiedFileDiff("a", before, after, { context });
          expect(before === after ? before : applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
        }
  });
});

describe("shortDiff", () => {
  it("looks at the head of a change of very many lines: the whole diff, made only to be cut, held the event loop for most of a second", () => {
    const lines = 500_000;
    const cut = shortDiff("f", "b\n".repeat(lines), "c\n".repeat(lines), 2_000);
    expect(cut.startsWith("@@ -1,")).toBe(true);
    expect(cut).toContain("-b\n-b\n");
    expect(cut.endsWith("… (diff cut; read /f for the rest)\n")).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(2_000);
    expect(shortDiff("f", "x".repeat(200_000), `${"x".repeat(200_000)}y`, 2_000)).toBe("… (diff cut; read /f for the rest)\n");
  });

  const full = "@@ -1 +1,2 @@\n-a\n+b\n+c\n";

  it("is the hunks alone", () => {
    expect(shortDiff("f", "a\n", "b\nc\n", 1000)).toBe(full);
    expect(shortDiff("f", "a\n", "b\nc\n", full.length)).toBe(full);
    expect(shortDiff("f", "a\n", "a\n", 1000)).toBe("");
  });

  it("is cut on whole lines, says so, and never passes the bound", () => {
    const after = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("");
    const whole = shortDiff("f", "", after, 10_000);
    for (let max = 0; max < 300; max++) {
      const cut = shortDiff("f", "", after, max);
      expect(cut.length).toBeLessThanOrEqual(max);
      const note = "… (diff cut; read /f for the rest)\n";
      if (cut === "") expect(max).toBeLessThan(note.length);
      else {
        expect(cut.endsWith(note)).toBe(true);
        const kept = cut.slice(0, -note.length);
        expect(whole.startsWith(kept)).toBe(true);
        expect(kept === "" || kept.endsWith("\n")).toBe(true);
      }
    }
  });
});
