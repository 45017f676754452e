/** Texts that cost the most to search, and paths that cost the most to match. All of them from a seed. */
import { createPrng, type Prng } from "../../packages/hango/src/text/pattern/fuzz-support.ts";

const LINE_CHARS = 80;
const UNICODE = [..."aabkKsSßẞΣςσéÉıİſ\u212a\u00a0\u0085\u2028\t", "😀", "𐐀", "𐐨", "e\u0301"];
const NAMES = ["a", "aa", "ab", "a".repeat(15), "ab".repeat(20), "a".repeat(200), "[id]", "{a}", "a b", "é", "😀", "*"];
const MAX_DIRECTORY_CHARS = 400;
const MAX_DIRECTORIES = 30;

export type Texts = ReadonlyMap<string, string>;

/** By storage path. `bytes` is the size of each, at most a few less where a character would be cut. */
export function hostileTexts(seed: number, bytes: number): Texts {
  const prng = createPrng(seed);
  const letters = (count: number): string => Array.from({ length: count }, () => prng.pick(["a", "b"])).join("");
  const repeated = (piece: string): string => piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);
  const lines = (end: string): string => {
    let out = "";
    while (out.length < bytes) out += `${letters(1 + prng.below(LINE_CHARS))}${prng.pick([" ", "\t", ""])}${letters(prng.below(9))}${end}`;
    return out.slice(0, bytes);
  };
  return new Map([
    ["texts/a.txt", "a".repeat(bytes)],
    ["texts/ab-lines.txt", lines("\n")],
    ["texts/ab-one-line.txt", letters(bytes)],
    ["texts/blank.txt", repeated(`${" ".repeat(200)}\t\n`)],
    ["texts/crlf.txt", lines("\r\n")],
    ["texts/empty-lines.txt", "\n".repeat(bytes)],
    ["texts/fibonacci.txt", fibonacci(bytes)],
    ["texts/periodic.txt", repeated("ab")],
    ["texts/unicode.txt", unicodeText(prng, bytes)],
  ]);
}

/** The word that repeats itself most without a period: the worst for many searches. */
export function fibonacci(length: number): string {
  let [shorter, longer] = ["a", "ab"];
  while (longer.length < length) [shorter, longer] = [longer, longer + shorter];
  return longer.slice(0, length);
}

function unicodeText(prng: Prng, bytes: number): string {
  const encoder = new TextEncoder();
  let out = "\ufeff";
  let size = 3;
  while (size < bytes - LINE_CHARS * 4) {
    let line = "";
    for (let n = prng.below(LINE_CHARS / 2); n > 0; n--) line += prng.pick(UNICODE);
    line += prng.pick(["\n", "\r\n"]);
    size += encoder.encode(line).length;
    out += line;
  }
  return out;
}

/** Deep and self-copying paths of small files. A directory's name never holds a tilde and a file's always does, so none stands in another's way. */
export function hostilePaths(seed: number, count: number): readonly string[] {
  const prng = createPrng(seed + 1);
  const letters = (): string => Array.from({ length: 14 }, () => prng.pick(["a", "b"])).join("");
  return Array.from({ length: count }, (_, index) => {
    const usual = prng.pick(NAMES);
    const name = prng.chance(0.5) ? letters : (): string => (prng.chance(0.7) ? usual : prng.pick(NAMES));
    let directory = "deep";
    for (let left = prng.below(MAX_DIRECTORIES); left > 0; left--) {
      const longer = `${directory}/${name()}`;
      if (longer.length <= MAX_DIRECTORY_CHARS) directory = longer;
    }
    return `${directory}/${prng.pick(["a", "aab", "a".repeat(90), "é"])}~${index}${prng.pick(["", ".md", ".tsx"])}`;
  });
}
