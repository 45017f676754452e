/** The characters no path may hold. One table for paths and for glob patterns, so a pattern can't ask for a path that can't be. */
import { pairAt } from "../text/utf8.ts";

/** The name of the rule that the first forbidden character breaks, or undefined. */
export function forbiddenCharacter(text: string): string | undefined {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit < 0x7f) continue;
    if (pairAt(text, index)) {
      index += 1;
      continue;
    }
    const rule = ruleOf(unit);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function ruleOf(unit: number): string | undefined {
  if (unit === 0) return "NUL character";
  if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return `control character (${name(unit)})`;
  if (unit === 0x2028 || unit === 0x2029) return `line separator (${name(unit)})`;
  if (isBidiControl(unit)) return `bidirectional control character (${name(unit)})`;
  if (unit >= 0xd800 && unit <= 0xdfff) return `lone surrogate (${name(unit)})`;
  return undefined;
}

/** Marks, embeddings, overrides and isolates: they change how a name looks. ZWJ and variation selectors do not and stay legal. */
function isBidiControl(unit: number): boolean {
  return unit === 0x061c || unit === 0x200e || unit === 0x200f || (unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069);
}

function name(unit: number): string {
  return `U+${unit.toString(16).toUpperCase().padStart(4, "0")}`;
}
