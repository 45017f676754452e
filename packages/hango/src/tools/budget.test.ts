import { describe, expect, it } from "vitest";
import { resolveLimits } from "../limits.ts";
import { uuidFor } from "../path/uuid.ts";
import { heuristicEstimator } from "../session/estimator.ts";
import { openSession, type SessionOptions } from "../session/session.ts";
import type { ToolName } from "../session/vocabulary.ts";
import { memoryStorage } from "../storages/memory.ts";
import { clipToTokens, fitRows } from "./budget.ts";
import { fileTools } from "./file-tools.ts";

const bound = (toolResultTokens: number): Parameters<typeof clipToTokens>[1] => ({
  limits: resolveLimits({ toolResultTokens }),
  estimator: heuristicEstimator,
});
const estimate = (text: string): number => heuristicEstimator.estimate(text);

async function world(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<SessionOptions>,
): Promise<(tool: ToolName, args?: object) => Promise<string>> {
  const storage = memoryStorage();
  for (const [path, content] of Object.entries(files)) await storage.write(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  const tools = new Map(fileTools(openSession({ storage, sessionId: uuidFor("s1"), ...options })).map((tool) => [tool.name, tool]));
  return async (name, args = {}) => String((await tools.get(name)?.execute(args, { toolCallId: "1" }))?.forModel);
}

describe("fitRows", () => {
  it("takes rows up to the limit, at n - 1, n and n + 1, and gives way to what must follow", () => {
    const row = "1234567"; // 2 tokens with its LF
    expect([5, 6, 7].map((tokens) => fitRows([row, row, row], () => [], bound(tokens)).rows.length)).toEqual([2, 3, 3]);
    expect([6, 7, 8].map((tokens) => fitRows([row, row, row], () => [row], bound(tokens)).rows.length)).toEqual([2, 2, 3]);
  });

  it("tells what follows how many rows stand before it", () => {
    expect(fitRows(["aaaa", "bbbb"], (shown) => [`${shown} of 2`], bound(5))).toEqual({ rows: ["aaaa"], after: ["1 of 2"] });
  });
});

describe("clipToTokens", () => {
  it("cuts on whole lines, else on code points", () => {
    expect(clipToTokens("one\ntwo\nthree three three three three", bound(8))).toBe("one\ntwo\n[answer cut]");
    const cut = clipToTokens("😀".repeat(100), bound(10));
    expect(cut).toMatch(/^😀+\n\[answer cut\]$/u);
    expect(estimate(cut)).toBeLessThanOrEqual(10);
  });
});

describe("a notice", () => {
  const long = (index: number): string => `${"n".repeat(230)}/${"m".repeat(230)}/${String(index).padStart(3, "0")}.bin`;
  const binaries = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [long(index), new Uint8Array([0, 255])]));

  it('is never what is cut: "the truncated notice of a full grep was missing when ten long paths were skipped"', async () => {
    const matches = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`${"a".repeat(100)}${index}`, `needle ${"x".repeat(60)}`]));
    for (const toolResultTokens of [200, 1_000, 20_000]) {
      const run = await world({ ...binaries, ...matches }, { limits: { toolResultTokens } });
      for (const args of [{}, { context: 1 }, { output_mode: "files_with_matches" }]) {
        const text = await run("grep", { pattern: "needle", ...args });
        expect(text).toMatch(/\(truncated after \d+ \w+: use a more specific pattern/);
        expect(text).not.toContain("[answer cut]");
        expect(estimate(text)).toBeLessThanOrEqual(toolResultTokens);
      }
    }
  });

  it("names fewer files in a small answer, and still says how many were not searched", async () => {
    const run = await world(binaries, { limits: { toolResultTokens: 60 } });
    expect(await run("grep", { pattern: "needle" })).toBe("No line matches.\n(not searched, because binary or not readable: 30 paths)");
  });

  it("says when the first row alone is too long", async () => {
    const run = await world(binaries, { limits: { toolResultTokens: 100 } });
    expect(await run("glob", { pattern: "*.bin" })).toBe(
      "(truncated after 0 paths: the first alone is too long for an answer; use a more specific pattern, or a path)",
    );
  });
});

describe("read_file in a small answer", () => {
  it('reaches every character by the marks and footers alone: "the column of a cut line was cut off at 50 tokens"', async () => {
    const content = `${"0123456789😀é".repeat(90)}\nshort\n\n${"z".repeat(700)}\nend`;
    for (const toolResultTokens of [40, 50, 200, 1_000]) {
      const run = await world({ "f.txt": content }, { limits: { toolResultTokens } });
      const lines: string[] = [];
      let next: { offset: number; column?: number } | undefined = { offset: 1 };
      for (let calls = 0; next !== undefined && calls < 500; calls++) {
        const text: string = await run("read_file", { path: "/f.txt", ...next });
        expect(estimate(text)).toBeLessThanOrEqual(toolResultTokens);
        let clipped: { offset: number; column: number } | undefined;
        for (const [, number, shown = ""] of text.matchAll(/^ *(\d+)\t(.*)$/gmu)) {
          const mark = / \[clipped; column (\d+) continues line (\d+)\]$/.exec(shown);
          const at = Number(number) - 1;
          lines[at] = (lines[at] ?? "") + (mark === null ? shown : shown.slice(0, mark.index));
          if (mark !== null) clipped = { offset: Number(mark[2]), column: Number(mark[1]) };
        }
        const footer = /continue with offset (\d+)\)$/.exec(text);
        next = clipped ?? (footer === null ? undefined : { offset: Number(footer[1]) });
      }
      expect(lines.join("\n")).toBe(content);
    }
  });
});

it("answers stay bounded when the estimator throws: one <|endoftext|> in a file made every tool throw", async () => {
  const disallowed = (): never => {
    throw new Error("disallowed special token");
  };
  const estimator = { estimate: disallowed, estimateRequest: disallowed };
  const run = await world({ "a.md": "<|endoftext|>\n".repeat(40_000) }, { estimator, limits: { toolResultTokens: 100 } });
  for (const [name, args] of [
    ["read_file", { path: "/a.md" }],
    ["grep", { pattern: "end" }],
    ["ls", {}],
    ["read_file", { path: "/none" }],
  ] as const) {
    const text = await run(name, args);
    expect(text.length).toBeGreaterThan(10);
    expect(text.length).toBeLessThanOrEqual(400);
  }
});
