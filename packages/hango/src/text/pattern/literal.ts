/**
 * A pattern that is the text itself. It is matched against the line as shown: a literal that ends in CR finds a CR inside
 * a line or at the end of a last line without LF, never the one of a CRLF; one that begins with a byte order mark never finds the file's own.
 */
import { MAX_LITERAL_BYTES } from "../../limits.ts";
import { utf8Length } from "../utf8.ts";
import { literalSet } from "./parse.ts";
import { invalidLiteral } from "./pattern-error.ts";
import { unusableCharacter } from "./reader.ts";
import { type Node, sequence } from "./tree.ts";

/** Errors: invalid_pattern for LF, NUL, half of a surrogate pair, or more than 4096 bytes. */
export function parseLiteral(source: string, ignoreCase: boolean): Node {
  // A UTF-16 unit is at least one byte of UTF-8, so a text this long is over the limit before it is looked at.
  if (source.length > MAX_LITERAL_BYTES || utf8Length(source) > MAX_LITERAL_BYTES)
    throw invalidLiteral(source, `a literal has at most ${MAX_LITERAL_BYTES} bytes; search for a part of it`);
  const characters = [...source];
  characters.forEach((character, offset) => {
    const problem = unusableCharacter(character);
    if (problem !== undefined) throw invalidLiteral(source, problem, offset);
  });
  return sequence(characters.map((character) => literalSet(character.codePointAt(0) as number, ignoreCase)));
}
