import { isContent } from "../../contract/check-options.ts";
import { cutPath } from "../../contract/shift.ts";
import { HangoError, shownPath } from "../../errors.ts";
import { isBelow, parseDirectory, parseFilePath } from "../../path/path.ts";
import { quoteText } from "../../text/quote.ts";
import { encodeUtf8 } from "../../text/utf8.ts";

/** Text or bytes by path in storage form: "docs/faq.md". */
export type EmbeddedFiles = Readonly<Record<string, string | Uint8Array>>;

/** What is used of Node's `fs`; memfs and others have the same two. */
export interface FsLike {
  readonly readdirSync: unknown;
  readonly readFileSync: unknown;
}

export function isFsLike(files: EmbeddedFiles | FsLike): files is FsLike {
  return typeof files["readdirSync"] === "function" && typeof files["readFileSync"] === "function";
}

/** The files of a record below the prefix, without it. Every key is checked, also those outside. Errors: invalid_path, invalid_content, invalid_argument. */
export function* entriesOf(files: EmbeddedFiles, prefix: string): Generator<readonly [path: string, bytes: Uint8Array], void> {
  const directory = parseDirectory(prefix);
  for (const [key, content] of Object.entries(files)) {
    const path = parseFilePath(key);
    const bytes = bytesOf(path, content);
    if (isBelow(path, directory)) yield [cutPath(directory, path), bytes];
  }
}

/** A copy, so that what the caller does with its own changes nothing here. */
export function bytesOf(path: string, content: unknown): Uint8Array {
  if (typeof content !== "string") {
    if (isContent(content)) return new Uint8Array(content);
    throw new HangoError("invalid_argument", `The content of ${quoteText(path)} must be text or a Uint8Array.`, { path: shownPath(path) });
  }
  // Encoding would turn half a pair into another character without a word.
  if (!content.isWellFormed())
    throw new HangoError("invalid_content", `The text of ${quoteText(path)} has a lone surrogate; give bytes instead.`, { path: shownPath(path) });
  return encodeUtf8(content);
}
