import { afterEach, describe, expect, it, vi } from "vitest";
import { plain, screen } from "./screen.ts";

describe("screen", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  function printed(use: (out: ReturnType<typeof screen>) => void): string {
    const write = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
    use(screen());
    const text = write.mock.calls.map(([chunk]) => String(chunk)).join("");
    write.mockRestore();
    return text.replaceAll(/\u001B\[\d+m/g, "");
  }

  it("shows control and direction characters of a file as what they are: none of them reaches the terminal", () => {
    expect(plain("a\u001B[2Jb\u0007\u202Ec\td\u0085")).toBe("a\uFFFD[2Jb\uFFFD\uFFFDc  d\uFFFD");
  });

  it("says what offload saved only where it saved something: a small report said “27 tokens before → 27 after: 0.0 %”", () => {
    expect(printed((out) => out.seen("abcd", { rawTokens: 1 }))).toBe("     │ abcd\n     └ 1 token\n");
    expect(printed((out) => out.seen("abcd", { rawTokens: 1000 }))).toContain("1,000 tokens before → 1 after: 99.9 %");
  });

  it("breaks long facts and answers between words, and shows the first lines of a long diff", () => {
    const { columns } = process.stdout;
    process.stdout.columns = 40;
    try {
      expect(printed((out) => out.fact("task", "Look around, then mark one line."))).toBe(
        `  ${"task".padEnd(20)}Look around, then\n  ${"".padEnd(20)}mark one line.\n`,
      );
      expect(printed((out) => out.text(`${"word ".repeat(8)}${"x".repeat(50)}`))).toBe(`  ${"word ".repeat(7).trim()}\n  word\n  ${"x".repeat(50)}\n`);
    } finally {
      process.stdout.columns = columns;
    }
    expect(
      printed((out) => out.diff(`@@ -1,42 +1,42 @@\n-a\n+b\n${" c\n".repeat(40)}`))
        .split("\n")
        .slice(-2),
    ).toEqual(["     │ … and 19 lines more", ""]);
  });

  it("keeps lines within the terminal, and long answers short", () => {
    const { columns } = process.stdout;
    process.stdout.columns = 50;
    try {
      const lines = printed((out) => {
        out.call("grep", { pattern: "x".repeat(200) });
        out.seen(`${"y".repeat(200)}\n`.repeat(30));
      }).split("\n");
      expect(Math.max(...lines.map((line) => line.length))).toBe(50);
      expect(lines.filter((line) => line.includes("│")).length).toBe(11);
    } finally {
      process.stdout.columns = columns;
    }
  });
});
