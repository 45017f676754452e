/** Globs and patterns, each beside a JavaScript regular expression that says by other means what it matches. */
import * as fc from "fast-check";

export interface Oracle {
  readonly written: string;
  readonly matches: RegExp;
}

const glob = (written: string, matches: RegExp): Oracle => ({ written, matches });

/** Over the path relative to the root. Without a slash a pattern is for the last name. */
const GLOBS: readonly Oracle[] = [
  glob("*", /./su),
  glob("**", /./su),
  glob("*.md", /(?:^|\/)[^/]*\.md$/su),
  glob("/*", /^[^/]*$/su),
  glob("*/*", /^[^/]*\/[^/]*$/su),
  glob("a*", /(?:^|\/)a[^/]*$/su),
  glob("/a*", /^a[^/]*$/su),
  glob("a/**", /^a\/./su),
  glob("**/b", /(?:^|\/)b$/su),
  glob("/**/b/c", /(?:^|\/)b\/c$/su),
  glob("?", /(?:^|\/)[^/]$/su),
  glob("??", /(?:^|\/)[^/]{2}$/su),
  glob("{a,b}", /(?:^|\/)[ab]$/su),
  glob("{a,B}/**", /^[aB]\/./su),
  glob("{,a/}b", /(?:(?:^|\/)b|^a\/b)$/su),
  glob("a**", /(?:^|\/)a[^/]*$/su),
  glob("{a}/[b].md", /^\{a\}\/\[b\]\.md$/su),
  glob("\\{a\\}/*", /^\{a\}\/[^/]*$/su),
  glob("_", /(?:^|\/)_$/su),
  glob("%*", /(?:^|\/)%[^/]*$/su),
  glob("%_/a_b", /^%_\/a_b$/su),
  glob("**/*_*", /(?:^|\/)[^/]*_[^/]*$/su),
  glob("*\u{1F600}", /(?:^|\/)[^/]*\u{1F600}$/su),
  glob("large_tool_results/**", /^large_tool_results\/./su),
  glob("*/*/r", /^[^/]*\/[^/]*\/r$/su),
  glob("*.{md,txt}", /(?:^|\/)[^/]*\.(?:md|txt)$/su),
  glob("e\u0301.md", /(?:^|\/)e\u0301\.md$/su),
  glob("nothing", /(?:^|\/)nothing$/su),
];
const BAD_GLOBS: readonly string[] = ["", "{a", "a/", "g".repeat(513)];

const line = (written: string, matches: RegExp): Oracle => ({ written, matches });
const WORD = "[0-9A-Za-z_]";
const BOUNDARY = `(?:(?<!${WORD})(?=${WORD})|(?<=${WORD})(?!${WORD}))`;

/** Over one line. */
const PATTERNS: readonly Oracle[] = [
  line("foo", /foo/su),
  line("(?i)foo", /[Ff][Oo][Oo]/su),
  line("^foo", /^foo/su),
  line("foo$", /foo$/su),
  line("^$", /^$/su),
  line("^", /^/su),
  line("a*", /a*/su),
  line(".", /./su),
  line("^.{3}$", /^.{3}$/su),
  line("[ab]+", /[ab]+/su),
  line("[^a]$", /[^a]$/su),
  line("fo{2}", /fo{2}/su),
  line("(foo|bar)$", /(?:foo|bar)$/su),
  line("o.*r|b", /o.*r|b/su),
  line("\\bfoo\\b", new RegExp(`${BOUNDARY}foo${BOUNDARY}`, "su")),
  line("\\Bo", /(?<=[0-9A-Za-z_])o/su),
  line("\\s", /[\t\f\r ]/su),
  line("\\w+ ", /[0-9A-Za-z_]+ /su),
  line("\\d", /[0-9]/su),
  line("\\S$", /[^\t\f\r ]$/su),
  line("\\.", /\./su),
  line("\\(", /\(/su),
  line("\r", /\r/su),
  line("\\r$", /\r$/su),
  line("\\u2028", /\u2028/su),
  line("^\\ufeff", /^\ufeff/su),
  line("\\u{1F600}foo", /\u{1F600}foo/su),
  line("caf\u00e9", /caf\u00e9/su),
  line("(?i)caf\u00e9", /[cC][aA][fF][\u00e9\u00c9]/su),
  line("[[:upper:]]{3}", /[A-Z]{3}/su),
  line("z{5}$", /z{5}$/su),
  line("nowhere", /nowhere/su),
];
const BAD_PATTERNS: readonly string[] = ["(", "a**", "\\1", "(?=a)", "[b-a]", "a{256}", "\\p{L}", "a\nb"];

const LITERALS = ["foo", "a.b*c", "(foo)", "$& $1", "\\1", "\t", "caf\u00e9", "\u{1F600}", "FOO", "a", "***", "(?i)foo"] as const;

export interface PatternPick {
  readonly pattern: string;
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
}

const oneIn = (weight: number, common: readonly string[], rare: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constantFrom(...common), weight }, { arbitrary: fc.constantFrom(...rare), weight: 1 });

export const globText: fc.Arbitrary<string> = oneIn(
  40,
  GLOBS.map(({ written }) => written),
  BAD_GLOBS,
);

export const pattern: fc.Arbitrary<PatternPick> = fc.oneof(
  {
    arbitrary: oneIn(
      30,
      PATTERNS.map(({ written }) => written),
      ["", ...BAD_PATTERNS],
    ).map((written) => ({ pattern: written })),
    weight: 4,
  },
  {
    arbitrary: fc.record(
      { pattern: fc.constantFrom(...LITERALS), literal: fc.constant(true), ignoreCase: fc.boolean() },
      { requiredKeys: ["pattern", "literal"] },
    ),
    weight: 1,
  },
);

const globs = new Map(GLOBS.map(({ written, matches }) => [written, matches]));
const patterns = new Map(PATTERNS.map(({ written, matches }) => [written, matches]));
const literals = new Map<string, RegExp>();

/** Undefined when the glob is refused. */
export function globOracle(written: string): RegExp | undefined {
  return globs.get(written);
}

/** Undefined when the pattern is refused. */
export function patternOracle({ pattern: written, literal = false, ignoreCase = false }: PatternPick): RegExp | undefined {
  if (!literal) return patterns.get(written);
  const key = `${ignoreCase ? "i" : "c"}${written}`;
  let made = literals.get(key);
  if (made === undefined) {
    made = new RegExp(Array.from(written, (character) => characterSet(character, ignoreCase)).join(""), "su");
    literals.set(key, made);
  }
  return made;
}

/** One character, or with the other case of it; no two of the world's letters fold to a third. */
function characterSet(character: string, ignoreCase: boolean): string {
  const forms = ignoreCase ? [...new Set([character, character.toLowerCase(), character.toUpperCase()])] : [character];
  const escaped = forms.map((form) => `\\u{${(form.codePointAt(0) ?? 0).toString(16)}}`);
  return `[${escaped.join("")}]`;
}
