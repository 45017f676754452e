/** The contents of the model's world: line ends, byte order marks, long lines, characters of each width, and what is no text. */
import * as fc from "fast-check";

/** Bytes that a session of the model may write. */
export const MAX_FILE_BYTES = 1_500;

/** Content as a command holds it, so that a printed command is the whole of it. */
export type Content = string | { readonly hex: string };

const LINES = `${"foo bar\n".repeat(6)}end`;
const TEXTS = [
  "",
  "foo",
  "foo\n",
  "one\ntwo\nthree\nfour\nfive\n",
  "\ufeff",
  "\ufefffoo\r\nbar\r\n",
  "\ufeff\ufefffoo\n",
  "foo\r\nbar\r\nfoo\r\n",
  "foo\r\r\nbar\rfoo\n\r\n",
  "foo\nbar\r\n\nFOO\u2028foo\n",
  "\n\n\n",
  "\r",
  "aaaa\naab",
  "a.b*c\n(foo)\n",
  "caf\u00e9 cafe\u0301 CAF\u00c9\n",
  "\u{1F600}foo\u{1F600}\uff61 foo\n",
  "$& $1 \\1\n",
  "tab\tfoo  foo\t\n",
  `${"y".repeat(620)}foo${"z".repeat(620)}\n`,
  `${"\u{1F600}".repeat(130)}foo${"\u{1F600}".repeat(130)}\n`,
  `${"w".repeat(500)}\nfoo ${"w".repeat(497)}\n`,
  LINES,
] as const;
const BINARIES = ["00", "666f6f0a00", "666f6f0aff", "fffe", "c080", "eda080", "f4908080", "666f6fe2"] as const;
const LARGE = "l".repeat(MAX_FILE_BYTES + 1);

export const text: fc.Arbitrary<string> = fc.constantFrom(...TEXTS);

/** Of a write through a session: now and then what no text may be, or too much. */
export const sessionText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: text, weight: 30 },
  { arbitrary: fc.constantFrom("foo\0", "\ud800", "foo\udc00", LARGE), weight: 1 },
);

export const content: fc.Arbitrary<Content> = fc.oneof(
  { arbitrary: fc.oneof({ arbitrary: text, weight: 20 }, { arbitrary: fc.constant(LARGE), weight: 1 }), weight: 5 },
  { arbitrary: fc.constantFrom(...BINARIES).map((hex) => ({ hex })), weight: 1 },
);

/** What an edit looks for and puts there. */
export const needle: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom("foo", "a", "aa", "foo\nbar", "\n", "bar\n", "\r\n", "\u{1F600}", "end", "nowhere", "\ufeff", "o"), weight: 20 },
  { arbitrary: fc.constant(""), weight: 1 },
);
export const replacement: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom("", "foo", "bar", "$&$1", "x\ny", "\u{1F601}", "FOO\r\n", "aa"), weight: 30 },
  { arbitrary: fc.constantFrom("\0", "\ud83d", "l".repeat(1_400)), weight: 1 },
);

/** An empty one counts as none. */
export const contentType: fc.Arbitrary<string> = fc.constantFrom("text/x-own", "application/json", "image/png", "");

const encoder = new TextEncoder();

export function bytesOf(given: Content): Uint8Array {
  return typeof given === "string" ? encoder.encode(given) : new Uint8Array(Buffer.from(given.hex, "hex"));
}

/** The text of some bytes, or undefined: valid UTF-8 without NUL is text. */
export function textOf(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoded = buffer.toString("utf8");
  return !decoded.includes("\0") && Buffer.from(decoded, "utf8").equals(buffer) ? decoded : undefined;
}

/** The lines as matched and shown. */
export function linesOf(whole: string): readonly string[] {
  const body = whole.startsWith("\ufeff") ? whole.slice(1) : whole;
  if (whole === "") return [];
  const pieces = body.split("\n");
  const ended = pieces.slice(0, -1).map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const last = pieces.at(-1) ?? "";
  return last === "" && ended.length > 0 ? ended : [...ended, last];
}

export function codePoints(value: string): readonly string[] {
  return Array.from(value);
}
