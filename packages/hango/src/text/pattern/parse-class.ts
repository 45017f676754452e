/** `[…]`: a set of code points. Folding comes before negation, and what no line holds is dropped last. */
import type { Ranges } from "./classes.ts";
import { complement, normalise, posixClasses, withinLine } from "./classes.ts";
import { foldRanges } from "./fold.ts";
import { parseEscape } from "./parse-escape.ts";
import type { Escape } from "./parse-escape.ts";
import type { Reader } from "./reader.ts";

/** Reads on after the `[` at `start`. Errors: invalid_pattern. */
export function parseClass(reader: Reader, start: number): Ranges {
  const negated = reader.eat("^");
  /** Literals and ranges, which fold; and class escapes, which do not. */
  const written: number[] = [];
  const named: number[] = [];
  for (let first = true; first || reader.peek() !== "]"; first = false) {
    if (reader.peek() === "") throw reader.error("[ is never closed; write \\[ for a bracket", start);
    if (reader.eat("[:")) {
      named.push(...parsePosix(reader, reader.at - 2));
      continue;
    }
    const offset = reader.at;
    const low = parseMember(reader);
    if ("ranges" in low) {
      named.push(...low.ranges);
      continue;
    }
    const isRange = reader.peek() === "-" && reader.peek(1) !== "]" && reader.peek(1) !== "";
    written.push(low.codePoint, isRange ? parseRangeEnd(reader, low.codePoint, offset) : low.codePoint);
  }
  reader.take();
  const plain = normalise(written);
  const union = normalise([...(reader.ignoreCase ? foldRanges(plain) : plain), ...named]);
  const set = withinLine(negated ? complement(union) : union);
  if (set.length === 0) throw reader.error("this class matches no character of a line", start);
  return set;
}

function parseMember(reader: Reader): Escape {
  const start = reader.at;
  const character = reader.take();
  return character === "\\" ? parseEscape(reader, start, "class") : { codePoint: character.codePointAt(0) as number };
}

function parseRangeEnd(reader: Reader, low: number, offset: number): number {
  reader.take();
  const high = reader.peek() === "[" && reader.peek(1) === ":" ? undefined : parseMember(reader);
  if (high === undefined || "ranges" in high) throw reader.error("a range can't end in a class; put the - last or write \\-", offset);
  if (high.codePoint < low) throw reader.error("this range runs backwards", offset);
  return high.codePoint;
}

function parsePosix(reader: Reader, start: number): Ranges {
  const negated = reader.eat("^");
  const name = reader.takeWhile((character) => character >= "a" && character <= "z");
  const ranges = posixClasses.get(name);
  if (ranges === undefined || !reader.eat(":]"))
    throw reader.error(`[: takes one of ${[...posixClasses.keys()].join(", ")} and :]; write \\[ for a bracket`, start);
  const folded = reader.ignoreCase ? foldRanges(ranges) : ranges;
  return negated ? complement(folded) : folded;
}
