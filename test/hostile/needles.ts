/** Strings that copy themselves: what an exact search is slowest to find, or to find absent. */
import type { Prng } from "../../packages/hango/src/text/pattern/fuzz-support.ts";
import { fibonacci } from "./texts.ts";

const MAX_OLD_CHARS = 64 * 1024;

/** From 1 to `most`, small and large ones alike. */
export function sizeUpTo(prng: Prng, most: number): number {
  return Math.max(1, Math.floor(most ** (prng.below(1_001) / 1_000)));
}

/** A needle of about `size` characters against the text: periodic, or a piece of the text with or without one change. */
export function copies(prng: Prng, text: string, size: number): string {
  const split = prng.below(size);
  switch (prng.below(9)) {
    case 0:
      return `${"a".repeat(size - 1)}b`;
    case 1:
      return `b${"a".repeat(size - 1)}`;
    case 2:
      return `${"a".repeat(split)}b${"a".repeat(size - split)}`;
    case 3:
      return "a".repeat(size);
    case 4:
      return `${"ab".repeat(Math.ceil(size / 2))}${prng.pick(["", "a", "aa", "c"])}`;
    case 5:
      return `${fibonacci(size)}${prng.pick(["", "a", "b", "aa", "bb"])}`;
    case 6:
      return text.slice(-size);
    case 7:
      return changed(prng, text.slice(-size));
    default:
      return piece(prng, text, size);
  }
}

function piece(prng: Prng, text: string, size: number): string {
  const from = prng.below(Math.max(1, text.length - size));
  const found = text.slice(from, from + size);
  return prng.chance(0.5) ? found : changed(prng, found);
}

function changed(prng: Prng, text: string): string {
  const at = prng.pick([0, text.length - 1, prng.below(Math.max(1, text.length))]);
  return `${text.slice(0, at)}${prng.pick(["a", "b", "z", "\u00a0", "\n"])}${text.slice(at + 1)}`;
}

/** An old_string: one of those, or a near miss of the kinds that a refusal gives a hint for. */
export function hostileOldText(prng: Prng, text: string): string {
  const size = sizeUpTo(prng, MAX_OLD_CHARS);
  const near = piece(prng, text, size);
  switch (prng.below(10)) {
    case 0:
      return near.replaceAll("\r\n", "\n");
    case 1:
      return near.replaceAll("\n", "\r\n");
    case 2:
      return near.replaceAll(" ", "\u00a0");
    case 3:
      return near.replaceAll(/[ \t]+/g, (blank) => `${blank} `);
    case 4:
      return near
        .split("\n")
        .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
        .join("\n")
        .slice(0, MAX_OLD_CHARS);
    case 5:
      return `${near}${"\r\n".repeat(1 + prng.below(3))}`;
    default:
      return copies(prng, text, size);
  }
}

export function hostileNewText(prng: Prng, oldText: string): string {
  return prng.pick(["", "x", "$&$1", oldText, `${oldText}z`, oldText.slice(1), "\n".repeat(200), oldText.toUpperCase()]);
}
