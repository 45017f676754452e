/** The pattern as PostgreSQL reads it: explicit sets after `(?n)`, so that its own classes, flags, collation and Unicode version never matter. */
import { ANY, BYTE_ORDER_MARK, excludedFrom, MAX_CODE_POINT } from "./classes.ts";
import type { Ranges } from "./classes.ts";
import type { Pattern } from "./pattern.ts";
import { isPunctuation } from "./reader.ts";
import { literalText } from "./required.ts";
import type { AssertionKind, Node } from "./tree.ts";

export interface PostgresPattern {
  /** For a whole content: true for every row that has a matching line, and for some that have none. */
  readonly row: string;
  /** For one line as shown: exact. */
  readonly line: string;
  /** For `substring(line from …)`: the line from its leftmost match on, so the column is `length(line) - length(…) + 1`. */
  readonly place: string;
  /** A text of 1 to 64 characters that every match contains, for `position` before the row form and the line form. */
  readonly required?: string;
  /** The whole pattern, when it is nothing but a text of at most 64 characters: `position` then answers for row, line and place. */
  readonly plain?: string;
}

/** Where a node stands in the row form: only at the very ends can `^` and `$` mean what they mean in a line. */
interface Ends {
  readonly first: boolean;
  readonly last: boolean;
}

const INNER: Ends = { first: false, last: false };
/** `position` is quadratic and can't be interrupted: an untrusted text over this length never reaches it. */
const MAX_REQUIRED = 64;

const NEW_LINE_SENSITIVE = "(?n)";
const LITERAL = "***=";

/** `\y` would need a collation, and under most of them É is a word character. */
const lineEdges: Readonly<Record<AssertionKind, string>> = {
  lineStart: "^",
  lineEnd: "$",
  boundary: "(?:(?<![0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?![0-9A-Za-z_]))",
  notBoundary: "(?:(?<![0-9A-Za-z_])(?![0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_]))",
};

function emitCharacter(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if (isPunctuation(character)) return `\\${character}`;
  const isHidden =
    codePoint < 0x20 || (codePoint >= 0x7f && codePoint <= 0x9f) || codePoint === BYTE_ORDER_MARK || codePoint === 0x2028 || codePoint === 0x2029;
  // Exactly four digits: `\x` would swallow every hex digit that follows.
  return isHidden ? `\\u${codePoint.toString(16).padStart(4, "0")}` : character;
}

function emitRanges(ranges: Ranges): string {
  let out = "";
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i] as number;
    const high = ranges[i + 1] as number;
    out += emitCharacter(low) + (high === low ? "" : (high === low + 1 ? "" : "-") + emitCharacter(high));
  }
  return out;
}

function emitSet(ranges: Ranges): string {
  if (ranges.length === 2 && ranges[0] === ranges[1]) return emitCharacter(ranges[0] as number);
  return ranges.at(-1) === MAX_CODE_POINT ? `[^${emitRanges(excludedFrom(ranges))}]` : `[${emitRanges(ranges)}]`;
}

function emitBounds(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** With `ends` the row form, without the line form. */
function emit(node: Node, ends: Ends | undefined): string {
  switch (node.kind) {
    case "set":
      return emitSet(node.ranges);
    case "empty":
      return "(?:)";
    case "cat":
      return node.items.map((item, i) => grouped(item, ends && { first: ends.first && i === 0, last: ends.last && i === node.items.length - 1 })).join("");
    case "alt":
      return node.branches.map((branch) => emit(branch, ends)).join("|");
    case "repeat": {
      const item = emit(node.item, ends && INNER);
      return (node.item.kind === "set" ? item : `(?:${item})`) + emitBounds(node.min, node.max);
    }
    case "lineStart":
      return ends === undefined ? "^" : ends.first ? "^\\ufeff?" : "(?:)";
    case "lineEnd":
      return ends === undefined ? "$" : ends.last ? "\\r?$" : "(?:)";
    default:
      return lineEdges[node.kind];
  }
}

function grouped(node: Node, ends: Ends | undefined): string {
  return node.kind === "alt" ? `(?:${emit(node, ends)})` : emit(node, ends);
}

function textsOf(pattern: Pattern): Pick<PostgresPattern, "required" | "plain"> {
  const characters = [...pattern.required];
  const plain = literalText(pattern.tree);
  return {
    ...(characters.length === 0 ? {} : { required: characters.slice(0, MAX_REQUIRED).join("") }),
    ...(plain === undefined || [...plain].length > MAX_REQUIRED ? {} : { plain }),
  };
}

/** The three forms, and the required text when it is worth a look. A literal goes as `***=`: linear at any length, and interruptible. */
export function emitPostgres(pattern: Pattern): PostgresPattern {
  const body = emit(pattern.tree, undefined);
  const place = `${NEW_LINE_SENSITIVE}(?:${body})${emitSet(ANY)}*$`;
  if (pattern.literal && !pattern.ignoreCase) return { row: LITERAL + pattern.source, line: LITERAL + pattern.source, place, ...textsOf(pattern) };
  const row = emit(pattern.tree, { first: true, last: true });
  return { row: NEW_LINE_SENSITIVE + row, line: NEW_LINE_SENSITIVE + body, place, ...textsOf(pattern) };
}
