import { describe, expect, it } from "vitest";
import { HangoError } from "../../errors.ts";
import { shownMatches } from "./match-support.ts";
import { parsePattern } from "./pattern.ts";
import type { PatternOptions } from "./pattern.ts";

function refusal(source: string, options: PatternOptions = {}): HangoError {
  try {
    parsePattern(source, options);
  } catch (error) {
    if (error instanceof HangoError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(source)} was accepted`);
}

/** Pattern, a content, and the lines it finds. */
const accepted: readonly (readonly [string, string, readonly string[]])[] = [
  // itself
  ["interface{}", "interface{}\ninterface", ["interface{}"]],
  ["a]b}", "a]b}", ["a]b}"]],
  ["a{b", "a{b", ["a{b"]],
  ["x{,}", "x{,}\nx", ["x{,}"]],
  ["x{2,a}", "x{2,a}\nxx", ["x{2,a}"]],
  ["{", "{", ["{"]],
  ["{a}", "{a}\na", ["{a}"]],
  // .
  ["a.c", "abc\nac\na😀c\na\rc", ["abc", "a😀c", "a\rc"]],
  ["^.$", "😀\nab", ["😀"]],
  // edges
  ["^b", "ab\nb", ["b"]],
  ["b$", "ab\nba", ["ab"]],
  ["a^b|c", "ab\nc", ["c"]],
  ["^$", "\na", [""]],
  ["\\bnew\\b", "a new day\nnewest\nrenewal\nénew", ["a new day", "énew"]],
  ["\\B", "\na\nab", ["", "ab"]],
  ["new\\B", "new\nnews", ["news"]],
  // classes by letter: ASCII
  ["^\\d$", "1\n١\na", ["1"]],
  ["^\\w$", "a\n_\né", ["a", "_"]],
  ["^\\s$", " \n\t\n\f\n\v\n\u00a0\n\u0085", [" ", "\t", "\f"]],
  ["^\\D$", "1\né", ["é"]],
  ["^\\W$", "a\né", ["é"]],
  ["^\\S$", " \n\v\na", ["\v", "a"]],
  ["1\\stest", "test line 1\ntest line 2", []],
  ["1\\Dtest", "test line 1\ntest line 2", []],
  ["1[^x]*test", "test line 1\ntest line 2", []],
  // escapes
  ["a\\tb", "a\tb", ["a\tb"]],
  ["a\\vb", "a\vb", ["a\vb"]],
  ["a\\fb", "a\fb", ["a\fb"]],
  ["a\\rb", "a\rb", ["a\rb"]],
  ["\\x41B", "AB\n\u41bb", ["AB"]],
  ["\\x{e9}\\u00E9\\u{1F600}", "éé😀", ["éé😀"]],
  ["\\.\\*\\ \\_\\-\\/", ".* _-/", [".* _-/"]],
  // classes
  ["^[]a]$", "]\na\nb", ["]", "a"]],
  ["^[^]a]$", "]\nb", ["b"]],
  ["^[\\w-.]$", "-\n.\na\n/", ["-", ".", "a"]],
  ["^[a-c-z]$", "b\n-\nz\ny", ["b", "-", "z"]],
  ["^[a-]$", "a\n-", ["a", "-"]],
  ["^[-a]$", "a\n-", ["a", "-"]],
  ["^[[a]$", "[\na", ["[", "a"]],
  ["^[[=a=]]$", "a]\n=]", ["a]", "=]"]],
  ["^[a&&b]$", "&\na\nb", ["&", "a", "b"]],
  ["^[\\n a]$", "a\n ", ["a", " "]],
  ["[^\\x00-\\x7F]", "a\né", ["é"]],
  ["^[[:alpha:]1]$", "a\né\n1", ["a", "1"]],
  ["^[[:^alpha:]]$", "a\né", ["é"]],
  ["^[[:word:]]$", "_\n-", ["_"]],
  ["^[\\d\\D]$", "x", ["x"]],
  ["^[$.|(*?+{^]+$", "$.|(*?+{^", ["$.|(*?+{^"]],
  // groups
  ["^(a)(?:b)(?P<n>c)(?<m>d)$", "abcd", ["abcd"]],
  ["^()$", "\na", [""]],
  // alternation
  ["^(?:foo|bar|)$", "foo\nbar\n\nbaz", ["foo", "bar", ""]],
  ["|", "a", ["a"]],
  // repeats
  ["^a*$", "\naa\nb", ["", "aa"]],
  ["^a+?$", "\naa", ["aa"]],
  ["^a??$", "\na\naa", ["", "a"]],
  ["^a{2}$", "a\naa\naaa", ["aa"]],
  ["^a{2,}?$", "a\naa\naaa", ["aa", "aaa"]],
  ["^a{1,2}$", "a\naa\naaa", ["a", "aa"]],
  ["^a{0}b$", "b\nab", ["b"]],
  ["^(?:a|b){0,80}$", "ab", ["ab"]],
  ["(?:\\b)?a(?:^)*", "ba", ["ba"]],
  ["^[0-9a-f]{64}$", "0123456789abcdef".repeat(4), ["0123456789abcdef".repeat(4)]],
  // case
  ["(?i)zip", "ZIP\nzip\nzap", ["ZIP", "zip"]],
  ["(?i)[^é]", "É", []],
  ["(?i)^[[:upper:]]$", "a\nA\n1", ["a", "A"]],
  ["(?i)^[[:^upper:]]$", "a\nA\n1", ["1"]],
  ["(?i)^\\w$", "\u212a\nk", ["k"]],
];

describe("the grammar", () => {
  it.each(accepted)("%j on %j finds %j", (source, content, expected) => {
    const lines = content.split("\n");
    const found = shownMatches(source, content)
      .split(" ")
      .filter((entry) => entry !== "")
      .map((entry) => lines[Number.parseInt(entry, 10) - 1]);
    expect(found).toEqual(expected);
  });
});

/** Pattern, what the message says, and the offset. */
const refused: readonly (readonly [string, string, number])[] = [
  ["config.load(", "never closed", 11],
  ["a)", "closes nothing", 1],
  ["[a", "[ is never closed", 0],
  ["x[]", "[ is never closed", 1],
  ["[^]", "[ is never closed", 0],
  ["a\\", "ends in a backslash", 1],
  ["(a)\\1", "back-references", 3],
  ["(?P<n>a)(?P=n)", "back-references", 8],
  ["\\k<n>", "back-references", 0],
  ["(?=a)", "look-around", 0],
  ["a(?!b)", "look-around", 1],
  ["(?<=a)b", "look-around", 0],
  ["(?<!a)b", "look-around", 0],
  ["(?>a)", "atomic groups", 0],
  ["a(?i)b", "only at the very start", 1],
  ["(?i)(?i)a", "only at the very start", 4],
  ["(?s)a", "only (?:…)", 0],
  ["(?i:a)", "only (?:…)", 0],
  ["(?#a)", "only (?:…)", 0],
  ["(?P<>a)", "a group's name", 0],
  ["(?<é>a)", "a group's name", 0],
  ["a\\nb", "grep is line-wise", 1],
  ["a\nb", "grep is line-wise", 1],
  ["[a\n]", "grep is line-wise", 2],
  ["a\\x0ab", "grep is line-wise", 1],
  ["a\\x00", "NUL", 1],
  ["a\0", "NUL", 1],
  ["a\ud800b", "surrogate", 1],
  ["a**", "two quantifiers", 2],
  ["a*+", "two quantifiers", 2],
  ["a???", "two quantifiers", 3],
  ["a{2}{3}", "two quantifiers", 4],
  ["^*", "edge can't be repeated", 1],
  ["$?", "edge can't be repeated", 1],
  ["\\b+", "edge can't be repeated", 2],
  ["\\B{2}", "edge can't be repeated", 2],
  ["a{,5}", "write {0,5}", 1],
  ["{,5}", "write {0,5}", 0],
  ["*a", "nothing to repeat", 0],
  ["***=a.b", "nothing to repeat", 0],
  ["(+a)", "nothing to repeat", 1],
  ["a|?", "nothing to repeat", 2],
  ["{3}", "nothing to repeat", 0],
  ["a{3,2}", "lower bound is over", 1],
  ["\\<new", "\\b for a word edge", 0],
  ["new\\>", "\\b for a word edge", 3],
  ["\\Aa", "line-wise", 0],
  ["x\\Z", "line-wise", 1],
  ["a\\z", "line-wise", 1],
  ["\\R", "line-wise", 0],
  ["\\G", "\\G", 0],
  ["\\Ka", "\\K", 0],
  ["\\Qa", "escape each character", 0],
  ["\\X", "\\X", 0],
  ["\\e", "\\x1B", 0],
  ["\\a", "\\x07", 0],
  ["\\cA", "\\xHH", 0],
  ["\\012", "octal", 0],
  ["\\q", "\\q: this escape has no meaning here", 0],
  ["\\é", "\\é: this escape has no meaning here", 0],
  ["\\p{L}", "[[:alpha:]]", 0],
  ["\\PL", "[^\\x00-\\x7F]", 0],
  ["[\\p{L}]", "[[:alpha:]]", 1],
  ["[\\b]", "\\b has no meaning in a class", 1],
  ["[\\1]", "octal", 1],
  ["[a-\\d]", "can't end in a class", 1],
  ["[A-[:alpha:]]", "can't end in a class", 1],
  ["[z-a]", "runs backwards", 1],
  ["[[:foo:]]", "[: takes one of alnum", 1],
  ["[[:alpha]", "[: takes one of alnum", 1],
  ["[\\n]", "matches no character", 0],
  ["a[^\\x00-\\u{10FFFF}]", "matches no character", 1],
  ["[^\\x00-\\x{D7FF}\\x{E000}-\\x{10FFFF}]", "matches no character", 0],
  ["\\x4", "2 hex digits", 0],
  ["\\u00e", "4 hex digits", 0],
  ["\\x{}", "hex digits", 0],
  ["\\x{41", "hex digits", 0],
  ["\\x{110000}", "10FFFF", 0],
  ["\\uD800", "surrogate", 0],
  ["[\\x{DFFF}]", "surrogate", 1],
  ["😀(", "never closed", 1],
];

describe("what is outside the grammar", () => {
  it.each(refused)("%j is refused: %j at offset %i", (source, message, offset) => {
    const error = refusal(source);
    expect(error.code).toBe("invalid_pattern");
    expect(error.message).toContain(message);
    expect(error.message).toContain("literal");
    expect(error.message).toContain(`at offset ${offset}`);
    expect(error.details?.["offset"]).toBe(offset);
  });

  it("quotes the pattern as it was sent: 'config.load(' and 'x\\Z' can be recognised in the error", () => {
    expect(refusal("config.load(").message).toContain('"config.load("');
    expect(refusal("x\\Z").message).toContain('"x\\Z"');
  });

  it("never lets a raw NUL or control character into the error", () => {
    for (const source of ["a\0b", "a\u001b[31m(", "a\u202e(", "\ud800", "a\r("])
      expect(refusal(source).message).not.toMatch(/[\0-\x1f\u007f-\u009f\u202e\ud800-\udfff]/);
    expect(refusal("a\0b").message).toContain("a\\u0000b");
  });

  it("refuses an empty pattern as an argument, also after (?i)", () => {
    for (const error of [refusal(""), refusal("(?i)"), refusal("", { literal: true })]) expect(error.code).toBe("invalid_argument");
    expect(parsePattern("(?i)", { literal: true }).literal).toBe(true);
  });

  it('refuses what is not a string: "source.startsWith is not a function"', () => {
    for (const pattern of [undefined, null, 5, ["a"], /a/])
      for (const literal of [false, true])
        expect(refusal(pattern as never, { literal })).toMatchObject({ code: "invalid_argument", message: "The pattern must be a string." });
  });
});

/** What is accepted, and one more. */
const limits: readonly (readonly [string, (n: number) => string, number, string])[] = [
  ["200 characters", (n) => "😀".repeat(n), 200, "at most 200 characters"],
  ["200 characters with (?i)", (n) => `(?i)${"a".repeat(n - 4)}`, 200, "at most 200 characters"],
  ["a bound of 255", (n) => `a{${n}}`, 255, "goes up to 255"],
  ["an open bound of 255", (n) => `a{${n},}`, 255, "goes up to 255"],
  ["an upper bound of 255", (n) => `a{0,${n}}`, 255, "goes up to 255"],
  ["an expanded size of 500", (n) => `a{255}b{${n - 255 - 1 - 1}}`, 500, "a size of 501, and 500"],
  ["an expanded size of 500, nested", (n) => `(?:a{9}b{8}){26}${"c".repeat(n - 26 * 19 - 1)}`, 500, "500 is the most"],
  ["an expanded size of 500, with alternation", (n) => `(?:a|b){99}${"c".repeat(n - 4 * 99 - 1)}`, 500, "500 is the most"],
  ["8 edges in a row", (n) => "\\ba?".repeat(n), 8, "9 edges in a row"],
  ["8 edges of every kind", (n) => Array.from({ length: n }, (_, index) => `${["^", "$", "\\b", "\\B"][index % 4]}a?`).join(""), 8, "9 edges in a row"],
  ["8 edges in a repeat", (n) => `(?:\\ba?){${n}}`, 8, "9 edges in a row"],
  ["8 edges across alternation", (n) => `${"\\b[a-z]*".repeat(n - 1)}(?:x|\\Ba|)`, 8, "9 edges in a row"],
  ["8 edges to choose from in a repeat", (n) => `(?:\\b|$|-){0,3}${"\\Ba?".repeat(n - 6)}`, 8, "9 edges in a row"],
  ["8 edges in two rounds of a loop", (n) => `(?:(?:\\b|-){0,3})*${"\\Ba?".repeat(n - 6)}`, 8, "9 edges in a row"],
  ["quantifiers nested 4 deep", (n) => `${"(".repeat(n)}a${"*)".repeat(n)}`, 4, "nest 5 deep, and 4"],
  ["groups nested 20 deep", (n) => `${"(".repeat(n)}a${")".repeat(n)}`, 20, "nest at most 20 deep"],
];

describe("the limits", () => {
  it.each(limits)("%s and not one more", (_, make, limit, message) => {
    for (const n of [limit - 1, limit]) expect(parsePattern(make(n)).source).toBe(make(n));
    const error = refusal(make(limit + 1));
    expect(error.code).toBe("invalid_pattern");
    expect(error.message).toContain(message);
  });

  it.each(["(^|$|-){0,30}", "((\\b|-){0,6})*", "(\\b|\\B|^|$|-){0,8}", "((\\b|$|-){0,4})*", "(($|-){0,16})*"])(
    "%s took Postgres' compiler seconds to minutes, and is refused",
    (source) => {
      expect(refusal(source).message).toContain("edges in a row");
    },
  );

  it("counts edges only where nothing is required between them", () => {
    for (const source of [
      "\\b\\w+\\s*".repeat(20),
      Array.from({ length: 30 }, () => "\\bw\\b").join("|"),
      "\\b".repeat(60),
      "(?:\\bx)?".repeat(20),
      "(?:\\b)?a?".repeat(20),
      "^$|^\\s*$|^\\s*#|^-*$|^=*$|\\b$",
      "(^|[^a-z])foo(\\b|_|$)",
      "^(\\s*\\b\\w+\\b\\s*)*$",
    ])
      expect(parsePattern(source).source).toBe(source);
  });

  it("refuses a bound of any number of digits, and a pattern of any length, at once", () => {
    expect(refusal("a{99999999999999999999}").message).toContain("goes up to 255");
    const error = refusal("(".repeat(1_000_000));
    expect(error.message).toContain("at most 200 characters");
    expect(error.message.length).toBeLessThan(500);
  });
});
