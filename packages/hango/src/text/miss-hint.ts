/** Why an old_string was not found: the near misses that models make, each tried in linear time. Nothing is ever replaced by a near miss. */
import { findAll } from "./find.ts";
import { lineOf } from "./utf8.ts";

/** Beyond this a hint costs more than it helps. */
const maxHintChars = 1024 * 1024;
/** UTF-16 units of a text whose whitespace is compared: each line of it is cut and joined again. */
const maxSqueezedChars = 256 * 1024;

/** A sentence on what differs and where, or undefined. */
export function missHint(text: string, oldText: string): string | undefined {
  if (!oldText.isWellFormed()) return "It holds half of a character (a lone surrogate), which no text has.";
  if (text === "") return "The file is empty; use write_file to set its content.";
  if (text.length + oldText.length > maxHintChars) return undefined;
  return numbered(text, oldText) ?? finalNewline(text, oldText) ?? oddSpace(text, oldText) ?? blanks(text, oldText);
}

/** read_file shows "     7<TAB>line"; the number is not in the file. */
function numbered(text: string, oldText: string): string | undefined {
  const lines = oldText.split("\n");
  if (!lines.every((line) => line === "" || /^ {0,6}[0-9]{1,10}\t/.test(line))) return undefined;
  const bare = lines.map((line) => line.slice(line.indexOf("\t") + 1)).join("\n");
  return seen(text, bare, "It starts its lines with the line numbers that read_file shows; leave them and the tab out");
}

function finalNewline(text: string, oldText: string): string | undefined {
  const bare = oldText.replace(/\r?\n$/, "");
  if (bare === oldText) return undefined;
  return seen(text, bare, "It is there without the final newline of old_string");
}

function oddSpace(text: string, oldText: string): string | undefined {
  const plain = (value: string): string => value.replace(/[\u00a0\u2007\u202f]/g, " ");
  return seen(plain(text), plain(oldText), "The file differs from it only by a non-breaking space (U+00A0 or alike) where the other has a plain one");
}

function blanks(text: string, oldText: string): string | undefined {
  if (text.length + oldText.length > maxSqueezedChars) return undefined;
  return seen(squeezed(text), squeezed(oldText), "The file differs from it only in whitespace (indentation, tabs, line ends or spaces at the end of a line)");
}

/** Each line without blanks at its ends and with single spaces inside; the lines stay as many. */
function squeezed(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim().split(/\s+/).join(" "))
    .join("\n");
}

function seen(text: string, needle: string, what: string): string | undefined {
  if (needle.trim() === "") return undefined;
  const [position] = findAll(text, needle).positions;
  return position === undefined ? undefined : `${what} (line ${lineOf(text, position)}).`;
}
