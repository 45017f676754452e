import type { FilePath, LinePage, LineQuery, Storage } from "../../storage.ts";
import { splitLines } from "../../text/lines.ts";
import { codePointLength, decodeText, sliceCodePoints } from "../../text/utf8.ts";
import { notText } from "../refusals.ts";

/** A window of lines, from the whole content. */
export async function deriveLines(read: Storage["read"], path: FilePath, query: LineQuery): Promise<LinePage> {
  const { offset, limit, column, maxLineChars, ...call } = query;
  const { info, bytes } = await read(path, call);
  const content = decodeText(bytes);
  if (content === undefined) throw notText(path);
  const all = splitLines(content);
  const first = all[offset - 1];
  const lines = all.slice(offset - 1, offset - 1 + limit).map((line, index) => {
    const start = index === 0 ? column - 1 : 0;
    // UTF-16 units are never fewer than code points, so a short line needs no counting.
    const text = start === 0 && line.length <= maxLineChars ? line : sliceCodePoints(line, start, maxLineChars);
    return { number: offset + index, text, clipped: isClipped(line, start, text) };
  });
  return { info, totalLines: all.length, lines, ...(column > 1 && first !== undefined ? { firstLineChars: codePointLength(first) } : {}) };
}

/** True when more of the line follows the text taken from it. */
function isClipped(line: string, start: number, text: string): boolean {
  if (start === 0) return text.length < line.length;
  return codePointLength(line) > start + codePointLength(text);
}
