/** Globs that cost the most: stars, `**`, braces, and paths with holes in them. */
import type { Prng } from "../../packages/hango/src/text/pattern/fuzz-support.ts";
import { sizeUpTo } from "./needles.ts";

const MAX_CHARS = 512;
const ALPHABET = [..."**??{},/\\ab[]-.é😀~*/a"];

function row(prng: Prng, pieces: readonly string[], end: string): string {
  const piece = prng.pick(pieces);
  const most = Math.floor((MAX_CHARS - end.length) / piece.length);
  return piece.repeat(sizeUpTo(prng, Math.max(1, most))) + end;
}

function braces(prng: Prng): string {
  const groups = Array.from({ length: 1 + prng.below(7) }, () => {
    const branches = Array.from({ length: 2 + prng.below(3) }, () => prng.pick(["a", "b", "", "*", "**/a", "a*", "?", "a/", "{a,b*}", "é"]));
    return `{${branches.join(",")}}`;
  });
  return groups.join(prng.pick(["", "/", "*", "a", "**/"])) + "a".repeat(prng.chance(0.3) ? prng.below(400) : 0);
}

/** A path of the tree, some of its characters wild, so that something matches. */
function holes(prng: Prng, path: string): string {
  return Array.from(path, (character) => (character === "/" || prng.chance(0.8) ? character : prng.pick(["*", "?", "*", "{a,b,*}"]))).join("");
}

/** Stars across segments with a distance in each: an engine that follows every way to have read them has a new state at each character. */
function gaps(prng: Prng, end: string): string {
  const piece = (): string => `*${prng.pick(["a", "b"])}${"?".repeat(prng.below(12))}${prng.pick(["a", "b", ""])}*/${prng.pick(["**/", "**/", ""])}`;
  let out = "**/";
  for (let n = 1 + prng.below(60); n > 0 && out.length < MAX_CHARS - 40; n--) out += piece();
  return out + (end || "*z*");
}

export function hostileGlob(prng: Prng, path: string): string {
  const end = prng.pick(["", "b", "x", "*", "*~*", "*q*", "**", "*.{md,tsx}"]);
  switch (prng.below(10)) {
    case 0:
      return row(prng, ["*a", "?*", "*", "a*?", "*ab", "é*"], end);
    case 1:
      return row(prng, ["**/a/", "**/", "**/*a*/", "*/", "?/", "**/aa/*/"], end || "a");
    case 2:
    case 3:
      return braces(prng);
    case 4:
    case 5:
      return holes(prng, path).slice(0, MAX_CHARS);
    case 6:
      return `**/${row(prng, ["*a", "a*"], "")}/${end || "*"}`.slice(-MAX_CHARS);
    case 7:
    case 8:
      return gaps(prng, end);
    default:
      return Array.from({ length: 1 + prng.below(40) }, () => prng.pick(ALPHABET)).join("");
  }
}
