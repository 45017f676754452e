/** One hostile call for each number: the same seed and number give the same call, so that any of them can be run again alone. */
import { createPrng } from "../../packages/hango/src/text/pattern/fuzz-support.ts";
import { hostileGlob } from "./globs.ts";
import { hostileNewText, hostileOldText } from "./needles.ts";
import { hostileLiteral, hostilePattern } from "./patterns.ts";
import type { World } from "./world.ts";

export interface GrepInput {
  readonly kind: "grep";
  readonly pattern: string;
  readonly path: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly include?: string;
  readonly context: number;
  readonly maxCount: number;
}

export interface GlobInput {
  readonly kind: "glob";
  readonly pattern: string;
  readonly root: string;
}

export interface EditInput {
  readonly kind: "edit";
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type HostileInput = GrepInput | GlobInput | EditInput;

/** Numbers are mixed into the seed, so that neighbours have nothing in common. */
const STRIDE = 7_919;

export function inputAt({ seed, texts, paths }: World, number: number): HostileInput {
  const prng = createPrng(Math.imul(seed, 1_000_003) + number * STRIDE);
  const [path, text] = prng.pick([...texts]);
  const kind = prng.below(10);
  if (kind < 2) return { kind: "glob", pattern: hostileGlob(prng, prng.pick(paths)), root: prng.pick(["/", "/", "/deep"]) };
  if (kind < 4) {
    const oldText = hostileOldText(prng, text);
    return { kind: "edit", path: `/${path}`, oldText, newText: hostileNewText(prng, oldText), replaceAll: prng.chance(0.5) };
  }
  const literal = prng.chance(0.3);
  const include = prng.chance(0.2) ? hostileGlob(prng, prng.pick([...paths, ...texts.keys()])) : undefined;
  return {
    kind: "grep",
    pattern: literal ? hostileLiteral(prng, text) : hostilePattern(prng),
    path: include === undefined && prng.chance(0.8) ? `/${path}` : "/",
    literal,
    ignoreCase: prng.chance(0.3),
    ...(include === undefined ? {} : { include }),
    context: prng.pick([0, 0, 3, 20]),
    maxCount: prng.pick([1, 100, 1_000]),
  };
}

/** Short enough to print, whole enough to see what it is. */
export function shownInput(input: HostileInput): string {
  return JSON.stringify(input, (_, value: unknown) =>
    typeof value === "string" && value.length > 130 ? `${value.slice(0, 60)}…(${value.length} characters)…${value.slice(-60)}` : value,
  );
}
