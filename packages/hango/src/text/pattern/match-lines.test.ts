import { describe, expect, it, vi } from "vitest";
import type { HangoError } from "../../errors.ts";
import { MATCH_SLICE_WORK, MATCH_TOTAL_WORK, MAX_DFA_STATES } from "../../limits.ts";
import { createPrng } from "./fuzz-support.ts";
import { createMachine } from "./machine.ts";
import { runMatch, shownMatches } from "./match-support.ts";
import { parsePattern } from "./pattern.ts";
import { matchLines } from "./match-lines.ts";
import { createMatchWork, type MatchWork } from "./work.ts";

function randomLetters(letters: string, length: number): string {
  const prng = createPrng(1);
  let out = "";
  for (let n = 0; n < length; n++) out += letters[prng.below(letters.length)];
  return out;
}

describe("lines", () => {
  it.each([
    ["^$", "", ""],
    ["^$", "\n", "1:1"],
    ["^$", "a\n", ""],
    ["^$", "a\n\n", "2:1"],
    ["^$", "\ufeff", "1:1"],
    ["^$", "\ufeff\n", "1:1"],
    ["^$", "\r\n", "1:1"],
    ["^$", "\ufeff\r\n\r\n", "1:1 2:1"],
    ["^$", "\r", ""],
    ["^\\r$", "\r", "1:1"],
    ["a$", "a\r\na\r\r\na\r", "1:1"],
    ["a\\r$", "a\r\na\r\r\na\r", "2:1 3:1"],
    ["^a", "\ufeffa\n\ufeffa", "1:1"],
    ["a", "b\fa\u2028a\u0085a\va", "1:3"],
    ["SECRET", "def alpha():\n    return 1\n\n\f\ndef beta():\n    SECRET_TARGET = 1\n", "6:5"],
    ["\\);$", "f();\r\ng()\r\nh();\r\n", "1:3 3:3"],
  ])("%j on %j matches at %j", (source, content, expected) => {
    expect(shownMatches(source, content)).toBe(expected);
  });
});

describe("columns", () => {
  it.each([
    ["abc.*z|b", "xxabcz", "1:3"],
    ["b|abc.*z", "xxabc", "1:4"],
    ["a*", "baa", "1:1"],
    ["a+$", "aabaa", "1:4"],
    ["x", "😀😀x", "1:3"],
    ["[^a]", "a😀", "1:2"],
    ["\\bb", "ab b", "1:4"],
    ["\\B", "a\nab", "2:2"],
    ["$", "ab", "1:3"],
    ["(?:)", "ab", "1:1"],
    ["a.c|.b", "xbabc", "1:1"],
  ])("the leftmost match of %j in %j starts at %j", (source, content, expected) => {
    expect(shownMatches(source, content)).toBe(expected);
  });
});

describe("the limit of matches", () => {
  it("stops at exactly so many lines, and a line counts once", () => {
    const content = "aa\nb\naa\naa";
    for (const source of ["a", "[a]|x"])
      for (const limit of [0, 1, 2, 3, 4])
        expect(runMatch(parsePattern(source), content, { limit }).matches.map(({ line }) => line)).toEqual([1, 3, 4].slice(0, limit));
  });
});

describe("the switch from cache to simulation", () => {
  it("answers alike with 1, 2, 3 … states and with all of them", () => {
    const content = `${randomLetters("aaaabbbbabababx\n", 20_000)}\r\n${randomLetters("aabb \n", 20_000)}`;
    for (const source of ["(a|b)*a(a|b){9}[xz]", "\\ba.{3}b.{2}\\b", "^(?:a|b){5}$", "b\\B.x$|a\\b b"]) {
      const pattern = parsePattern(source);
      const expected = runMatch(pattern, content).matches;
      expect(expected.length).toBeGreaterThan(5);
      for (const maxStates of [1, 2, 3, 4, 5, 6, 50, MAX_DFA_STATES]) expect(runMatch(pattern, content, { maxStates }).matches).toEqual(expected);
    }
  });

  it("never holds more states than allowed, and starts afresh on the next text", () => {
    const machine = createMachine(parsePattern("(a|b)*a(a|b){12}[xz]").tree, 100);
    const walker = machine.createWalker();
    let highest = 0;
    for (const letter of randomLetters("ab", 5_000)) {
      walker.step(machine.alphabet.latin[letter.charCodeAt(0)] as number);
      highest = Math.max(highest, walker.state);
    }
    expect(highest).toBe(99);
    expect(walker.state).toBe(-1);
    const next = machine.createWalker();
    expect(next.table.length).toBeLessThan(walker.table.length);
  });
});

describe("work", () => {
  it("is linear in the text for every pattern and every literal", () => {
    const hostile: readonly (readonly [string, boolean, (length: number) => string])[] = [
      ["(a|b)*a(a|b){20}[xz]", false, (length) => randomLetters("ab", length)],
      ["a.{32}b.{43}a.{30}[yz]", false, (length) => randomLetters("ab", length)],
      ["(?:.+?){2,}[z]|y", false, (length) => "a".repeat(length)],
      ["(?:\\ba?){8}[z]", false, (length) => randomLetters("a ", length)],
      ["(?:a*b*c*){20}[yz]", false, (length) => randomLetters("abc", length)],
      [`${"a".repeat(1_000)}b${"a".repeat(1_000)}`, true, (length) => "a".repeat(length)],
      [`b${"a".repeat(2_000)}`, true, (length) => "a".repeat(length)],
    ];
    for (const [source, literal, text] of hostile) {
      const pattern = parsePattern(source, { literal });
      const units = [20_000, 40_000, 80_000].map((length) => {
        const work = createMatchWork();
        runMatch(pattern, text(length), { work, maxStates: 200 });
        return work.units;
      }) as [number, number, number];
      expect(units[2] / units[1], source).toBeLessThan(2.2);
      expect(units[1] / units[0], source).toBeLessThan(2.5);
    }
  });

  it("is one unit for 8 characters of ordinary progress", () => {
    const work = createMatchWork();
    runMatch(parsePattern("[xy]z"), "a".repeat(80_000), { work });
    expect(work.units).toBeLessThan(80_000 / 8 + 80_000 / 4 + 50);
  });

  it("gives way after every slice of it", () => {
    const work = createMatchWork();
    const { pauses } = runMatch(parsePattern("(a|b)*a(a|b){30}[xz]"), randomLetters("ab", 100_000), { work });
    expect(work.units).toBeGreaterThan(3 * MATCH_SLICE_WORK);
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(work.units / (MATCH_SLICE_WORK * 1.1)));
  });

  it("gives way while it looks for the start of a match in one long line", () => {
    const work = createMatchWork();
    const { matches, pauses } = runMatch(parsePattern("^[xz](a|b)*|[xz](a|b){60}b(a|b)*"), `x${randomLetters("ab", 100_000)}`, { work });
    expect(matches).toEqual([{ line: 1, column: 1 }]);
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(work.units / (MATCH_SLICE_WORK * 1.1)));
  });

  it("ends in timeout at the limit, which holds over all the files of a grep", () => {
    const pattern = parsePattern("a[bc]");
    const content = "xa".repeat(100);
    const spent = createMatchWork();
    runMatch(pattern, content, { work: spent });
    const cost = spent.units;
    const startingAt = (units: number): (() => unknown) => {
      const work = { ...createMatchWork(), units };
      return () => runMatch(pattern, content, { work });
    };
    runMatch(pattern, content);
    expect(startingAt(MATCH_TOTAL_WORK - cost - 1)).not.toThrow();
    for (const units of [MATCH_TOTAL_WORK - 1, MATCH_TOTAL_WORK]) {
      try {
        startingAt(units)();
        throw new Error("did not end");
      } catch (error) {
        expect((error as HangoError).code).toBe("timeout");
        expect((error as HangoError).message).toContain('"a[bc]"');
      }
    }
  });

  it("has no slice over its limit where a line is as long as the file: what was skipped of it came on top", () => {
    vi.spyOn(performance, "now").mockReturnValue(0); // a slice also ends when it took long
    const line = `${"b".repeat(1_000_000)}ab`;
    for (const [source, literal] of [
      ["ab", true],
      ["a[bc]", false],
    ] as const) {
      const work = createMatchWork();
      let since = 0;
      let longest = 0;
      const search = matchLines(parsePattern(source, { literal }), `${line}\n`.repeat(6), { limit: 10, work });
      for (let step = search.next(); step.done !== true; step = search.next()) {
        longest = Math.max(longest, work.units - since);
        since = work.units;
      }
      expect(work.units, source).toBeGreaterThan(2 * MATCH_SLICE_WORK);
      expect(longest, source).toBeLessThanOrEqual(MATCH_SLICE_WORK + 1_000);
    }
    vi.restoreAllMocks();
  });

  it("ends in timeout when its time is over, of which only slices take", () => {
    let now = 0;
    const clock = vi.spyOn(performance, "now");
    /** Searches a text of several slices; each look at the clock finds it a millisecond later, and each pause a second. */
    const search = (work: MatchWork): number => {
      let pauses = 0;
      clock.mockImplementation(() => ++now);
      const slices = matchLines(parsePattern("[xy]z"), "a".repeat(8 * MATCH_SLICE_WORK), { limit: 1, work });
      for (; slices.next().done !== true; pauses++) now += 1_000;
      return pauses;
    };
    const free = createMatchWork();
    expect(search(free)).toBeGreaterThan(1);
    expect(free.spentMs).toBeLessThan(1_000);
    expect(search(createMatchWork(free.spentMs + 1))).toBeGreaterThan(1);
    expect(() => search(createMatchWork(free.spentMs / 2))).toThrow(/^Searching for "\[xy\]z" took over \d+ ms\. Make the pattern more specific/);
    const shared = createMatchWork(free.spentMs * 1.5);
    search(shared);
    expect(() => search(shared)).toThrow("took over");
    vi.restoreAllMocks();
  });

  it("is next to nothing for a content that lacks the required literal", () => {
    const work = createMatchWork();
    expect(runMatch(parsePattern("(a|b)*a(a|b){100}needle"), randomLetters("ab", 100_000), { work }).matches).toEqual([]);
    expect(work.units).toBeLessThanOrEqual(100_000 / 4 + 32);
  });

  it("finds a required literal across the pieces it is looked for in", () => {
    // 10,000 units at 4 characters each: where the first piece ends.
    for (let at = 40_000 - 7; at <= 40_000; at++) expect(shownMatches("needle\\d", `${"x".repeat(at)}needle1`)).toBe(`1:${at + 1}`);
  });
});
