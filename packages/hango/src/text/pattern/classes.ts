/** Sets of code points as ranges, and the named classes. All of it is ASCII by definition, so no engine's own tables matter. */

/** Flat pairs, low then high, sorted and apart. */
export type Ranges = readonly number[];

export const LF = 0x0a;
export const CR = 0x0d;
export const BYTE_ORDER_MARK = 0xfeff;
export const MAX_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Tells whether a number is half of a pair and no character by itself. */
export function isSurrogate(codePoint: number): boolean {
  return codePoint >= FIRST_SURROGATE && codePoint <= LAST_SURROGATE;
}

/** Sorts and merges pairs in any order. */
export function normalise(pairs: readonly number[]): Ranges {
  const sorted: (readonly [number, number])[] = [];
  for (let i = 0; i < pairs.length; i += 2) sorted.push([pairs[i] as number, pairs[i + 1] as number]);
  sorted.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [low, high] of sorted) {
    const last = out.length - 1;
    if (last > 0 && low <= (out[last] as number) + 1) out[last] = Math.max(out[last] as number, high);
    else out.push(low, high);
  }
  return out;
}

/** Everything from 0 to U+10FFFF that is not in the ranges. */
export function complement(ranges: Ranges): Ranges {
  const out: number[] = [];
  let next = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i] as number;
    if (low > next) out.push(next, low - 1);
    next = (ranges[i + 1] as number) + 1;
  }
  if (next <= MAX_CODE_POINT) out.push(next, MAX_CODE_POINT);
  return out;
}

const NEVER: Ranges = [0, 0, LF, LF, FIRST_SURROGATE, LAST_SURROGATE];

/** What of the ranges a line can hold: no LF, no NUL, no half of a pair. Without it `[^x]`, `\s` and `\D` would cross a line end. */
export function withinLine(ranges: Ranges): Ranges {
  return complement(normalise([...complement(ranges), ...NEVER]));
}

/** The complement as it is written for an engine: LF always in it, NUL and halves of pairs never. Takes a set as `withinLine` leaves it. */
export function excludedFrom(ranges: Ranges): Ranges {
  return complement(normalise([...ranges, 0, 0, FIRST_SURROGATE, LAST_SURROGATE]));
}

function ranges(...spans: readonly string[]): Ranges {
  return normalise(spans.flatMap((span) => [span.codePointAt(0) as number, span.codePointAt(span.length - 1) as number]));
}

export const WORD: Ranges = ranges("09", "AZ", "_", "az");
const DIGIT: Ranges = ranges("09");
/** As RE2 has it: no VT, no NBSP, no U+0085. */
const SPACE: Ranges = ranges("\t\n", "\f\r", " ");

/** `\d \w \s` and their opposites, by the letter. */
export const escapeClasses: ReadonlyMap<string, Ranges> = new Map([
  ["d", DIGIT],
  ["w", WORD],
  ["s", SPACE],
  ["D", complement(DIGIT)],
  ["W", complement(WORD)],
  ["S", complement(SPACE)],
]);

/** The names between `[:` and `:]`. */
export const posixClasses: ReadonlyMap<string, Ranges> = new Map([
  ["alnum", ranges("09", "AZ", "az")],
  ["alpha", ranges("AZ", "az")],
  ["ascii", ranges("\0\x7f")],
  ["blank", ranges("\t", " ")],
  ["cntrl", ranges("\0\x1f", "\x7f")],
  ["digit", DIGIT],
  ["graph", ranges("!~")],
  ["lower", ranges("az")],
  ["print", ranges(" ~")],
  ["punct", ranges("!/", ":@", "[`", "{~")],
  ["space", ranges("\t\r", " ")],
  ["upper", ranges("AZ")],
  ["word", WORD],
  ["xdigit", ranges("09", "AF", "af")],
]);

/** `.`: any character of a line, CR included when it is inside. */
export const ANY: Ranges = withinLine([0, MAX_CODE_POINT]);
