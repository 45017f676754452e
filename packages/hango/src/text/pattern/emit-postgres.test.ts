import { describe, expect, it } from "vitest";
import { emitPostgres } from "./emit-postgres.ts";
import { createPrng, randomPattern } from "./fuzz-support.ts";
import { tryPattern } from "./match-support.ts";
import { parsePattern } from "./pattern.ts";

const B = "(?:(?<![0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?![0-9A-Za-z_]))";
const NOT_B = "(?:(?<![0-9A-Za-z_])(?![0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_]))";

/** Pattern, the line form without its prefix, and the row form where it differs. */
const table: readonly (readonly [string, string, string?])[] = [
  ["foo", "foo"],
  ["a\\.b", "a\\.b"],
  ["a-b_c", "a\\-b\\_c"],
  ["\\x41B", "AB"],
  ["\\t\\x{1}\\x7F\\u0085", "\\u0009\\u0001\\u007f\\u0085"],
  ["\\ufeff\\u2028\\u2029", "\\ufeff\\u2028\\u2029"],
  ["😀é", "😀é"],
  [".", "[^\\u000a]"],
  ["[^x]", "[^\\u000ax]"],
  ["\\d\\w", "[0-9][0-9A-Z\\_a-z]"],
  ["\\s", "[\\u0009\\u000c\\u000d ]"],
  ["\\D", "[^\\u000a0-9]"],
  ["[\\w-.]", "[\\-\\.0-9A-Z\\_a-z]"],
  ["[]^-]", "[\\-\\]\\^]"],
  ["[ab]", "[ab]"],
  ["[a-c]", "[a-c]"],
  ["[^\\x00-\\x7F]", "[^\\u0001-\\u007f]"],
  ["(?i)k1", "[Kk]1"],
  ["(?i)é", "[Éé]"],
  ["a|b|", "a|b|(?:)"],
  ["(a|b)c", "(?:a|b)c"],
  ["a*b+c?", "a*b+c?"],
  ["a*?b{2}?", "a*b{2}"],
  ["(?:ab){2,}c{2,3}", "(?:ab){2,}c{2,3}"],
  ["(a*)+", "(?:a*)+"],
  ["a{0}b", "b"],
  ["(?:\\b)?a", "a"],
  ["(?:^)+a", "^a", "^\\ufeff?a"],
  ["^a$", "^a$", "^\\ufeff?a\\r?$"],
  ["\\);$", "\\)\\;$", "\\)\\;\\r?$"],
  ["^", "^", "^\\ufeff?"],
  ["^a|b$", "^a|b$", "^\\ufeff?a|b\\r?$"],
  ["(?:^a|b$)", "^a|b$", "^\\ufeff?a|b\\r?$"],
  ["(^|x)a(y|$)", "(?:^|x)a(?:y|$)", "(?:^\\ufeff?|x)a(?:y|\\r?$)"],
  ["a^b$c", "a^b$c", "a(?:)b(?:)c"],
  ["(?:^a)*", "(?:^a)*", "(?:(?:)a)*"],
  ["$^", "$^", "(?:)(?:)"],
  ["\\bfoo\\B", `${B}foo${NOT_B}`],
  ["\\b\\bfoo", `${B}foo`],
];

describe("the form for Postgres", () => {
  it.each(table.map(([source, line, row]) => [source, line, row ?? line] as const))("%j is emitted as %j, for rows as %j", (source, line, row) => {
    expect(emitPostgres(parsePattern(source))).toMatchObject({ line: `(?n)${line}`, row: `(?n)${row}`, place: `(?n)(?:${line})[^\\u000a]*$` });
  });

  it("sends a literal as ***= and, for its place, escaped", () => {
    expect(emitPostgres(parsePattern("a.b(\r", { literal: true }))).toEqual({
      row: "***=a.b(\r",
      line: "***=a.b(\r",
      place: "(?n)(?:a\\.b\\(\\u000d)[^\\u000a]*$",
      required: "a.b(\r",
      plain: "a.b(\r",
    });
  });

  it("tells a pattern that is nothing but a text of at most 64 characters, whichever way it is written", () => {
    const plain = (source: string, options = {}): string | undefined => emitPostgres(parsePattern(source, options)).plain;
    expect([plain("NEEDLE"), plain("a\\.b"), plain("x"), plain("[a]b"), plain("(?:ab)c")]).toEqual(["NEEDLE", "a.b", "x", "ab", "abc"]);
    for (const other of ["^a", "a$", "a|b", "NEED[LM]E", "ab?", "\\bab", "(?i)a"]) expect(plain(other), other).toBeUndefined();
    expect(plain("1", { ignoreCase: true })).toBe("1");
    for (const n of [63, 64, 65]) expect(plain("😀".repeat(n)), `${n}`).toBe(n > 64 ? undefined : "😀".repeat(n));
  });

  it("sends a literal without case as sets", () => {
    expect(emitPostgres(parsePattern("Ab.", { literal: true, ignoreCase: true }))).toEqual({
      row: "(?n)[Aa][Bb]\\.",
      line: "(?n)[Aa][Bb]\\.",
      place: "(?n)(?:[Aa][Bb]\\.)[^\\u000a]*$",
      required: ".",
    });
  });

  it("gives a required text of 1 to 64 characters, cut between characters", () => {
    const required = (source: string): string | undefined => emitPostgres(parsePattern(source, { literal: true })).required;
    expect(emitPostgres(parsePattern("[ab]+")).required).toBeUndefined();
    expect(emitPostgres(parsePattern("[a-z]+_[0-9]{3,}")).required).toBe("_");
    expect(required("a")).toBe("a");
    expect(required("😀")).toBe("😀");
    for (const n of [63, 64, 65]) expect([...(required("😀".repeat(n)) ?? "")].length).toBe(Math.min(n, 64));
  });

  it("never emits what depends on the server: no flag but (?n), no class or edge of its own, no raw control character or half of a pair", () => {
    for (let seed = 1; seed <= 2_000; seed++) {
      const pattern = tryPattern(randomPattern(createPrng(seed)));
      if (pattern === undefined) continue;
      const { row, line, place } = emitPostgres(pattern);
      for (const form of [row, line, place]) {
        expect(form.startsWith("(?n)")).toBe(true);
        expect(form).not.toMatch(/[\0-\x1f\x7f-\x9f\ufeff\u2028\u2029]/);
        expect(form.isWellFormed()).toBe(true);
        // After a backslash: punctuation, or u and exactly four hex digits (\r only in the row form's line end).
        expect(form.replaceAll("\\r?$", "").replaceAll(/\\(?:[!-/:-@[-`{-~]|u[0-9a-f]{4})/g, "")).not.toContain("\\");
      }
    }
  });
});
