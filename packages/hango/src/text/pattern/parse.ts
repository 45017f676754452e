/** The grammar, by recursive descent over code points. What is outside it is refused, never read in another way. */
import { MAX_GROUP_NESTING, MAX_PATTERN_BOUND } from "../../limits.ts";
import { ANY, LF, withinLine } from "./classes.ts";
import { foldRanges } from "./fold.ts";
import { parseClass } from "./parse-class.ts";
import { parseEscape } from "./parse-escape.ts";
import type { Reader } from "./reader.ts";
import { isDigit, isWord } from "./reader.ts";
import type { Node } from "./tree.ts";
import { isAssertion, sequence } from "./tree.ts";

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Reads the rest of a pattern. Errors: invalid_pattern with the offset of what is wrong. Limits: groups nested 20 deep, a bound of 255. */
export function parseTree(reader: Reader): Node {
  const tree = parseAlternation(reader, 0);
  if (reader.peek() === ")") throw reader.error("this ) closes nothing; write \\) for a parenthesis");
  return tree;
}

function parseAlternation(reader: Reader, depth: number): Node {
  const branches = [parseSequence(reader, depth)];
  while (reader.eat("|")) branches.push(parseSequence(reader, depth));
  return branches.length === 1 ? (branches[0] as Node) : { kind: "alt", branches };
}

function parseSequence(reader: Reader, depth: number): Node {
  const items: Node[] = [];
  while (reader.peek() !== "" && reader.peek() !== "|" && reader.peek() !== ")") items.push(parseRepeat(reader, depth));
  return sequence(items);
}

function parseRepeat(reader: Reader, depth: number): Node {
  const start = reader.at;
  if (parseQuantifier(reader) !== undefined) throw reader.error("this quantifier has nothing to repeat; escape it with a backslash", start);
  const isGroup = reader.peek() === "(";
  const atom = parseAtom(reader, depth);
  const quantifier = reader.at;
  const bounds = parseQuantifier(reader);
  if (bounds === undefined) return atom;
  if (!isGroup && isAssertion(atom)) throw reader.error("an edge can't be repeated", quantifier);
  reader.eat("?");
  const second = reader.at;
  if (parseQuantifier(reader) !== undefined) throw reader.error("two quantifiers in a row (possessive ones are not supported); group the first: (?:…)", second);
  return { kind: "repeat", item: atom, ...bounds };
}

/** `* + ? {n} {n,} {n,m}`, or undefined: a brace that begins none of these is a plain character. */
function parseQuantifier(reader: Reader): Bounds | undefined {
  if (reader.eat("*")) return { min: 0, max: Infinity };
  if (reader.eat("+")) return { min: 1, max: Infinity };
  if (reader.eat("?")) return { min: 0, max: 1 };
  const start = reader.at;
  if (!reader.eat("{")) return undefined;
  const low = reader.takeWhile(isDigit);
  const comma = reader.eat(",");
  const high = comma ? reader.takeWhile(isDigit) : low;
  const closed = reader.eat("}");
  if (closed && low === "" && high !== "") throw reader.error(`{,${high}} means different things in different dialects; write {0,${high}}`, start);
  if (!closed || low === "") {
    reader.at = start;
    return undefined;
  }
  const min = Number(low);
  const max = high === "" ? Infinity : Number(high);
  if (min > MAX_PATTERN_BOUND || (max > MAX_PATTERN_BOUND && high !== "")) throw reader.error(`a bound goes up to ${MAX_PATTERN_BOUND}`, start);
  if (min > max) throw reader.error("the lower bound is over the upper one", start);
  return { min, max };
}

function parseAtom(reader: Reader, depth: number): Node {
  const start = reader.at;
  const character = reader.take();
  switch (character) {
    case ".":
      return { kind: "set", ranges: ANY };
    case "^":
      return { kind: "lineStart" };
    case "$":
      return { kind: "lineEnd" };
    case "[":
      return { kind: "set", ranges: parseClass(reader, start) };
    case "(":
      return parseGroup(reader, start, depth + 1);
    case "\\":
      return parseEscapedAtom(reader, start);
    default:
      return literalSet(character.codePointAt(0) as number, reader.ignoreCase);
  }
}

function parseEscapedAtom(reader: Reader, start: number): Node {
  if (reader.eat("b")) return { kind: "boundary" };
  if (reader.eat("B")) return { kind: "notBoundary" };
  const escape = parseEscape(reader, start, "outside");
  if ("ranges" in escape) return { kind: "set", ranges: withinLine(escape.ranges) };
  if (escape.codePoint === LF) throw reader.error("a line never holds a line end: grep is line-wise", start);
  if (escape.codePoint === 0) throw reader.error("no text file has a NUL character", start);
  return literalSet(escape.codePoint, reader.ignoreCase);
}

/** The set of one character as written, with what it folds to. */
export function literalSet(codePoint: number, ignoreCase: boolean): Node {
  return { kind: "set", ranges: ignoreCase ? foldRanges([codePoint, codePoint]) : [codePoint, codePoint] };
}

function parseGroup(reader: Reader, start: number, depth: number): Node {
  if (depth > MAX_GROUP_NESTING) throw reader.error(`groups nest at most ${MAX_GROUP_NESTING} deep`, start);
  if (reader.eat("?")) parseGroupKind(reader, start);
  const tree = parseAlternation(reader, depth);
  if (!reader.eat(")")) throw reader.error("this ( is never closed; write \\( for a parenthesis", start);
  return tree;
}

function parseGroupKind(reader: Reader, start: number): void {
  if (reader.eat(":")) return;
  if (["=", "!", "<=", "<!"].some((kind) => reader.eat(kind))) throw reader.error("look-around is not supported", start);
  if (reader.eat(">")) throw reader.error("atomic groups are not supported; write (?:…)", start);
  if (reader.eat("P=")) throw reader.error("back-references are not supported", start);
  if (reader.eat("P<") || reader.eat("<")) {
    if (reader.takeWhile(isWord) === "" || !reader.eat(">")) throw reader.error("a group's name is letters, digits and _ followed by >", start);
    return;
  }
  if (reader.eat("i)")) throw reader.error("(?i) may stand only at the very start; or set ignore_case", start);
  throw reader.error("only (?:…), (?<name>…) and (?P<name>…) are supported, and (?i) at the very start", start);
}
