/** Exact replacement, as edit_file does it: counted first, built by slices, never fuzzy. */
import { HangoError, shownPath } from "../errors.ts";
import { processLimits } from "../limits.ts";
import { findAll, type Found } from "./find.ts";
import { missHint } from "./miss-hint.ts";
import { lineOf, utf8Length } from "./utf8.ts";

export { findAll, type Found } from "./find.ts";

export interface ReplaceOptions {
  readonly replaceAll: boolean;
  readonly path: string;
  /** Bytes the result may have; checked before it is built. Default: what offload may store. */
  readonly maxBytes?: number;
}

/**
 * Replaces the one place where `oldText` stands, or with replaceAll every leftmost non-overlapping one. The replacement is
 * literal. When the text as sent is absent and the file has CRLF, both strings are tried with CRLF.
 * Errors: invalid_argument (empty or equal strings), no_match, ambiguous_match (`details.count` starts, overlapping ones too), too_large.
 */
export function replaceExact(
  text: string,
  oldText: string,
  newText: string,
  options: ReplaceOptions,
): { readonly text: string; readonly replacements: number } {
  const path = shownPath(options.path);
  if (oldText === "")
    throw new HangoError(
      "invalid_argument",
      `old_string is empty, so it names no place in ${path}. Give the exact text to replace, or use write_file to set the whole content.`,
      { path },
    );
  if (oldText === newText) throw new HangoError("invalid_argument", `old_string and new_string are equal, so nothing in ${path} would change.`, { path });
  const edit = locate(text, oldText, newText, path);
  const { starts, positions } = edit.found;
  if (!options.replaceAll && starts > 1) throw ambiguous(text, edit.found, path);
  const grown = utf8Length(text) + positions.length * (utf8Length(edit.newText) - utf8Length(edit.oldText));
  const maxBytes = options.maxBytes ?? Math.max(processLimits.maxFileBytes, processLimits.maxOffloadBytes);
  if (grown > maxBytes)
    throw new HangoError("too_large", `The edit would make ${path} ${grown} bytes long; at most ${maxBytes} are allowed. Split the file, or replace less.`, {
      path,
      details: { sizeBytes: grown, maxBytes },
    });
  return { text: splice(text, positions, edit.oldText.length, edit.newText), replacements: positions.length };
}

interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly found: Found;
}

const nothing: Found = { starts: 0, positions: [] };

function locate(text: string, oldText: string, newText: string, path: string): Edit {
  // Half a character would be found in the middle of a whole one, and what is left of that is no text.
  const found = oldText.isWellFormed() ? findAll(text, oldText) : nothing;
  if (found.starts > 0) return { oldText, newText, found };
  const oldCrlf = toCrlf(oldText);
  if (oldCrlf !== oldText && text.includes("\r\n")) {
    const newCrlf = toCrlf(newText);
    const foundCrlf = findAll(text, oldCrlf);
    if (foundCrlf.starts > 0 && oldCrlf === newCrlf)
      throw new HangoError(
        "invalid_argument",
        `old_string and new_string differ only in line ends, and ${path} already has CRLF there: nothing would change.`,
        { path },
      );
    if (foundCrlf.starts > 0) return { oldText: oldCrlf, newText: newCrlf, found: foundCrlf };
  }
  const hint = missHint(text, oldText);
  throw new HangoError("no_match", `old_string was not found in ${path}; the file is unchanged.${hint === undefined ? "" : ` ${hint}`}`, { path });
}

/** Bare LFs only: a CR that is there stays the only one. */
function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function ambiguous(text: string, found: Found, path: string): HangoError {
  const lines = [...new Set(found.positions.slice(0, 5).map((position) => lineOf(text, position)))];
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${found.positions.length > 5 ? ", …" : ""}`;
  return new HangoError(
    "ambiguous_match",
    `old_string occurs ${found.starts} times in ${path} (${where}); the file is unchanged. Add surrounding text to make it unique, or set replace_all.`,
    { path, details: { count: found.starts } },
  );
}

/** Adding up is half the cost of joining a list of as many parts. */
function splice(text: string, positions: readonly number[], length: number, newText: string): string {
  let out = "";
  let from = 0;
  for (const position of positions) {
    out += text.slice(from, position) + newText;
    from = position + length;
  }
  return out + text.slice(from);
}
