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

  it("keeps lines within the terminal, and long answers short", () => {
    const { columns } = process.stdout;
    process.stdout.columns = 50;
    try {
      const lines = printed((out) => {
        out.call("grep", { pattern: "x".repeat(200) });
        out.seen(`${"y".repeat(200)}\n`.repeat(30));
      }).split("\n");
      expect(Math.max(...lines.map((line) => line.length))).toBe(50);
      expect(lines.filter((line) => line.includes("│")).length).toBe(13);
    } finally {
      process.stdout.columns = columns;
    }
  });
});
