/** What grep searches for, parsed once into one tree that Postgres and JavaScript both work from. */
import { HangoError } from "../../errors.ts";
import { MAX_PATTERN_CHARS } from "../../limits.ts";
import { parseLiteral } from "./literal.ts";
import { parseTree } from "./parse.ts";
import { invalidPattern } from "./pattern-error.ts";
import { createReader } from "./reader.ts";
import { requiredLiteral } from "./required.ts";
import { checkSize } from "./size.ts";
import type { Node } from "./tree.ts";
import { simplify } from "./tree.ts";

export interface Pattern {
  /** As it was sent. */
  readonly source: string;
  readonly literal: boolean;
  /** Asked for by option, or by `(?i)` at the start. */
  readonly ignoreCase: boolean;
  readonly tree: Node;
  /** The longest string that every match contains, "" when none is known. */
  readonly required: string;
}

export interface PatternOptions {
  /** The pattern is the text itself. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
}

const IGNORE_CASE = "(?i)";

/**
 * Parses a grep pattern: a line-wise regular expression in hango's own dialect, or with `literal` the text itself.
 * Errors: invalid_argument when it is empty or no string; invalid_pattern quotes the pattern, says where and why, and names `literal`.
 * Limits: 200 characters (a literal: 4096 bytes), a bound of 255, an expanded size of 500, 8 edges in a row, quantifiers nested 4, groups 20.
 */
export function parsePattern(source: string, options: PatternOptions = {}): Pattern {
  if (typeof source !== "string") throw new HangoError("invalid_argument", "The pattern must be a string.", { op: "grep" });
  const { literal = false, ignoreCase: byOption = false } = options;
  if (source === "" || (!literal && source === IGNORE_CASE))
    throw new HangoError("invalid_argument", "The pattern is empty. Say what to search for.", { op: "grep" });
  if (literal) return finish(source, parseLiteral(source, byOption), { literal, ignoreCase: byOption });
  // A character is at most two UTF-16 units, so a text this long is over the limit before it is split.
  const characters = source.length > 2 * MAX_PATTERN_CHARS ? undefined : [...source];
  if (characters === undefined || characters.length > MAX_PATTERN_CHARS) throw invalidPattern(source, `a pattern has at most ${MAX_PATTERN_CHARS} characters`);
  const ignoreCase = byOption || source.startsWith(IGNORE_CASE);
  const reader = createReader(source, characters, ignoreCase);
  reader.eat(IGNORE_CASE);
  const written = parseTree(reader);
  const tree = simplify(written);
  checkSize(source, written, tree);
  return finish(source, tree, { literal, ignoreCase });
}

function finish(source: string, tree: Node, options: { readonly literal: boolean; readonly ignoreCase: boolean }): Pattern {
  return { source, ...options, tree, required: requiredLiteral(tree) };
}
