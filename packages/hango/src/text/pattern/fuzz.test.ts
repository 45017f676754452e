import { RE2JS, RE2JSException } from "re2js";
import { describe, expect, it } from "vitest";
import { splitLines } from "../lines.ts";
import { codePointLength } from "../utf8.ts";
import { createPrng, randomPattern, randomText } from "./fuzz-support.ts";
import { type MatchRun, runMatch, tryPattern } from "./match-support.ts";
import { emitRe2 } from "./oracle-support.ts";

const PAIRS = Number(process.env["HANGO_FUZZ_PAIRS"] ?? 2_000);
const SEED = Number(process.env["HANGO_FUZZ_SEED"] ?? 20_260_801);

function compileOracle(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined; // what RE2 does not take (\u, its own limits) can't be compared
    throw error;
  }
}

function byOracle(oracle: RE2JS, content: string): MatchRun["matches"] {
  const found: { line: number; column: number }[] = [];
  splitLines(content).forEach((text, index) => {
    const matcher = oracle.matcher(text);
    if (matcher.find()) found.push({ line: index + 1, column: codePointLength(text.slice(0, matcher.start())) + 1 });
  });
  return found;
}

describe("the pattern machine against RE2", () => {
  it("finds the same lines and the same leftmost starts, with any size of cache", () => {
    let compared = 0;
    let matchedLines = 0;
    let bySource = 0;
    let withRequired = 0;
    for (let n = 0; compared < PAIRS; n++) {
      const prng = createPrng(SEED + n);
      const source = randomPattern(prng);
      const pattern = tryPattern(source, { ignoreCase: prng.chance(0.15) });
      if (pattern === undefined) continue;
      const oracle = compileOracle(emitRe2(pattern.tree));
      if (oracle === undefined) throw new Error(`seed ${SEED + n}: RE2 refuses what was emitted for ${JSON.stringify(source)}`);
      const direct = pattern.ignoreCase ? undefined : compileOracle(source);
      const content = randomText(prng, pattern.tree);
      const label = `seed ${SEED + n}: ${JSON.stringify(source)} on ${JSON.stringify(content)}`;
      const expected = byOracle(oracle, content);
      expect(runMatch(pattern, content).matches, label).toEqual(expected);
      for (const maxStates of [1, 2, 3, 4, 5, 6])
        expect(runMatch(pattern, content, { maxStates }).matches, `${label} with ${maxStates} states`).toEqual(expected);
      if (direct !== undefined) {
        expect(byOracle(direct, content), `${label}, parsed by RE2`).toEqual(expected);
        bySource++;
      }
      const lines = splitLines(content);
      for (const { line } of expected) expect(lines[line - 1]?.includes(pattern.required), `${label} required ${pattern.required}`).toBe(true);
      if (pattern.required !== "") withRequired++;
      matchedLines += expected.length;
      compared++;
    }
    expect(matchedLines).toBeGreaterThan(PAIRS / 2);
    expect(bySource).toBeGreaterThan(PAIRS / 3);
    expect(withRequired).toBeGreaterThan(PAIRS / 4);
  });
});

describe("literal search against the sets of the same literal", () => {
  it("finds the same lines and columns, with and without case", () => {
    for (let n = 0; n < PAIRS; n++) {
      const prng = createPrng(SEED + n);
      let source = "";
      for (let length = prng.below(4) + 1; length > 0; length--)
        source += prng.pick([..."aabAkK.(", "É", "é", "\r", "\ufeff", "😀", "𐐀", "σ", "Σ", "ς", "\u212a"]);
      const ignoreCase = prng.chance(0.5);
      const pattern = tryPattern(source, { literal: true, ignoreCase });
      if (pattern === undefined) throw new Error(`seed ${SEED + n}: refused ${JSON.stringify(source)}`);
      const content = randomText(prng, pattern.tree);
      const oracle = compileOracle(emitRe2(pattern.tree));
      if (oracle === undefined) throw new Error(`seed ${SEED + n}: RE2 refuses ${JSON.stringify(source)}`);
      expect(runMatch(pattern, content).matches, `seed ${SEED + n}: ${JSON.stringify(source)} on ${JSON.stringify(content)}`).toEqual(
        byOracle(oracle, content),
      );
    }
  });
});
