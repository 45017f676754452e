/** Regular expressions and literals that cost the most, about half of them within the limits. */
import { randomPattern, type Prng } from "../../packages/hango/src/text/pattern/fuzz-support.ts";
import { copies, sizeUpTo } from "./needles.ts";

const MAX_LITERAL = 4_100;

type Make = (prng: Prng) => string;

/** A state for every way to have read the last k characters. */
const lastLetters: Make = (prng) => `(a|b)*${prng.pick(["a", "b"])}(a|b){${1 + prng.below(130)}}[xz]`;

const starRows: Make = (prng) => {
  const row = Array.from({ length: 1 + prng.below(8) }, () => `${prng.pick(["a", "b", "c", ".", "[ab]"])}${prng.pick(["*", "+", "?"])}`).join("");
  return `(${row}){${1 + prng.below(60)}}${prng.pick(["z", "[yz]", "$", ""])}`;
};

/** Linear, with a new state at each character. */
const gaps: Make = (prng) =>
  `${Array.from({ length: 2 + prng.below(5) }, () => `${prng.pick(["a", "b"])}.{${prng.below(110)}${prng.chance(0.2) ? ",90" : ""}}`).join("")}[yz]`;

const edgeChains: Make = (prng) => {
  const edge = (): string => prng.pick(["\\b", "\\B", "^", "$"]) + prng.pick(["a?", "", "[a-z]*", "(?:ab)?", " *", "(?:|a)", "a"]);
  const chain = Array.from({ length: 1 + prng.below(14) }, edge).join("");
  return prng.chance(0.5) ? chain : `(?:${chain}|${edge()}){${1 + prng.below(6)}}${prng.pick(["", "z"])}`;
};

const boundaries: Make = (prng) => `(\\b${prng.pick(["a?", "b*", "\\w*"])}){${1 + prng.below(12)}}${prng.pick(["", "z", "$"])}`;

const deepGroups: Make = (prng) => {
  const depth = 1 + prng.below(22);
  let quantified = 0;
  let out = prng.pick(["a", "a|b", "[ab]", "a?", "\\b"]);
  for (let n = 0; n < depth; n++) {
    const quantifier = quantified < 5 && prng.chance(0.25) ? prng.pick(["*", "+", "?", "{2}", "{0,3}", "{1,}"]) : "";
    if (quantifier !== "") quantified += 1;
    out = `(${prng.pick(["", "?:"])}${out}${prng.pick(["", "|", "|b", "b"])})${quantifier}`;
  }
  return `${out}${prng.pick(["", "z"])}`;
};

/** Nested repeats, each within the bound. */
const nested: Make = (prng) => `(?:(?:${prng.pick(["a", "a|ab", "[^b]", "."])}{0,${1 + prng.below(20)}}){${1 + prng.below(20)}}b?)*${prng.pick(["z", "c"])}`;

const alternatives: Make = (prng) =>
  Array.from({ length: 1 + prng.below(60) }, () => Array.from({ length: 1 + prng.below(6) }, () => prng.pick(["a", "b"])).join("")).join("|");

const wideSets: Make = (prng) =>
  `${prng.pick(["", "(?i)"])}${Array.from({ length: 1 + prng.below(12) }, () => prng.pick(["[^a]", "[à-ÿ]", "[\\x{80}-\\x{10FFFF}]", "[[:^alpha:]]", "[Α-ω]", "\\W", "[é😀-😎]"]) + prng.pick(["", "*", "+", "{0,9}", "{20}"])).join("")}${prng.pick(["", "z"])}`;

const MAKES: readonly Make[] = [
  lastLetters,
  starRows,
  gaps,
  edgeChains,
  boundaries,
  deepGroups,
  nested,
  alternatives,
  wideSets,
  randomPattern,
  randomPattern,
  randomPattern,
];

export function hostilePattern(prng: Prng): string {
  return prng.pick(MAKES)(prng);
}

/** Up to 4 KiB and a little over; one of ten has a line end, which a literal may not hold. */
export function hostileLiteral(prng: Prng, text: string): string {
  const wanted = copies(prng, text, sizeUpTo(prng, MAX_LITERAL));
  return prng.chance(0.1) ? wanted : wanted.replaceAll(/[\r\n]/g, "a");
}
