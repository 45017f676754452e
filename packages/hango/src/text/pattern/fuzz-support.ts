/** Seeded patterns and texts for fuzz tests, here and against Postgres. Nothing of the library imports this. */
import type { Node } from "./tree.ts";

export interface Prng {
  /** A whole number from 0 to `below - 1`. */
  readonly below: (below: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
}

/** Mulberry32: the same sequence for a seed on every machine. */
export function createPrng(seed: number): Prng {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, chance: (probability) => next() < probability, pick: (from) => from[below(from.length)] as never };
}

const PLAIN = [
  ..."aaabbbcABkKsSiIxz019__ -é",
  "É",
  "\u212a",
  "ſ",
  "İ",
  "ı",
  "ß",
  "ẞ",
  "Σ",
  "ς",
  "σ",
  "😀",
  "𐐀",
  "𐐨",
  "ÿ",
  "µ",
  "\t",
  "\u00a0",
  "\u0085",
  "\u2028",
  "\ufeff",
  "=",
  "<",
  ">",
  "/",
  ",",
  ":",
  "&",
  "}",
  "]",
];
const ESCAPES = [
  "\\d",
  "\\w",
  "\\s",
  "\\D",
  "\\W",
  "\\S",
  "\\t",
  "\\r",
  "\\f",
  "\\v",
  "\\x41",
  "\\x{e9}",
  "\\u00E9",
  "\\u{1F600}",
  "\\.",
  "\\*",
  "\\(",
  "\\[",
  "\\\\",
  "\\_",
  "\\ ",
  "\\-",
  "\\/",
  "\\x{1}",
  "\\x7F",
];
const EDGES = ["^", "$", "\\b", "\\B"];
const POSIX = ["alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word", "xdigit"];
const RANGES = ["a-c", "A-z", "0-9", "à-ÿ", "\\x00-\\x7F", "\\t-\\r", "Α-ω", "😀-😎", "é-\\u{10FFFF}", "\\x{80}-\\x{D7FF}"];
const QUANTIFIERS = ["*", "+", "?", "{0}", "{1}", "{2}", "{0,2}", "{1,3}", "{2,}", "{0,}", "{3}"];

function randomClass(prng: Prng): string {
  let out = prng.chance(0.3) ? "[^" : "[";
  if (prng.chance(0.15)) out += "]";
  for (let n = prng.below(4) + 1; n > 0; n--) {
    const kind = prng.below(10);
    if (kind < 4) {
      const character = prng.pick(PLAIN);
      out += character === "]" || character === "-" ? `\\${character}` : character;
    } else if (kind < 6) out += prng.pick(RANGES);
    else if (kind < 8) out += prng.pick(ESCAPES);
    else if (kind < 9) out += `[:${prng.chance(0.3) ? "^" : ""}${prng.pick(POSIX)}:]`;
    else out += prng.pick(["&&", "[", "\\n", ".", "$", "|", "(", "*"]);
  }
  return `${out}${prng.chance(0.1) ? "-" : ""}]`;
}

function randomAtom(prng: Prng, depth: number): string {
  const kind = prng.below(20);
  if (kind < 9) return prng.pick(PLAIN);
  if (kind < 11) return prng.pick(ESCAPES);
  if (kind < 13) return randomClass(prng);
  if (kind < 14) return ".";
  if (kind < 15) return prng.pick(["interface{}", "{a}", "{", "x{,}"]);
  if (kind < 16 || depth <= 0) return prng.pick(["ab", "foo", "k"]);
  const open = prng.pick(["(", "(?:", "(?:", `(?P<n${prng.below(1_000_000)}>`, `(?<m${prng.below(1_000_000)}>`]);
  return `${open}${randomAlternation(prng, depth - 1)})`;
}

function randomAlternation(prng: Prng, depth: number): string {
  const branches: string[] = [];
  for (let n = prng.chance(0.3) ? prng.below(3) + 2 : 1; n > 0; n--) {
    let branch = "";
    for (let items = prng.chance(0.08) ? 0 : prng.below(4) + 1; items > 0; items--) {
      if (prng.chance(0.12)) branch += prng.pick(EDGES);
      else branch += randomAtom(prng, depth) + (prng.chance(0.35) ? prng.pick(QUANTIFIERS) + (prng.chance(0.2) ? "?" : "") : "");
    }
    branches.push(branch);
  }
  return branches.join("|");
}

/** The text of a pattern from the whole grammar. It may be over a limit: what the parser refuses is for the caller to skip. */
export function randomPattern(prng: Prng): string {
  return (prng.chance(0.15) ? "(?i)" : "") + randomAlternation(prng, 3);
}

function sampleSet(ranges: readonly number[], prng: Prng): string {
  const pair = 2 * prng.below(ranges.length / 2);
  const low = ranges[pair] as number;
  const high = ranges[pair + 1] as number;
  // The edges of a range are where mistakes are.
  const codePoint = prng.chance(0.5) ? prng.pick([low, high]) : low + prng.below(Math.min(high - low, 200) + 1);
  return String.fromCodePoint(codePoint);
}

/** A string that the tree matches, edges aside. */
function sample(node: Node, prng: Prng): string {
  switch (node.kind) {
    case "set":
      return sampleSet(node.ranges, prng);
    case "cat":
      return node.items.map((item) => sample(item, prng)).join("");
    case "alt":
      return sample(prng.pick(node.branches), prng);
    case "repeat": {
      let out = "";
      for (let n = node.min + prng.below(Math.min(node.max - node.min, 3) + 1); n > 0; n--) out += sample(node.item, prng);
      return out;
    }
    default:
      return "";
  }
}

function noise(prng: Prng): string {
  let out = "";
  for (let n = prng.below(5); n > 0; n--) out += prng.pick(PLAIN);
  return out;
}

/** A content of a few lines: strings sampled from the tree mixed with noise, line ends of every kind, a byte order mark in 15 of 100. */
export function randomText(prng: Prng, tree: Node): string {
  let out = prng.chance(0.15) ? "\ufeff" : "";
  for (let n = prng.below(6); n > 0; n--) {
    if (prng.chance(0.5)) out += noise(prng);
    if (prng.chance(0.75)) out += sample(tree, prng);
    if (prng.chance(0.4)) out += noise(prng);
    if (prng.chance(0.1)) out += "\r";
    out += prng.pick(["\n", "\n", "\n", "\r\n", "\r\n", "\r\r\n", "\n\n", n === 1 ? "" : "\n"]);
  }
  return out;
}
