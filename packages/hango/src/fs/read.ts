import { HangoError } from "../errors.ts";
import { callOf } from "../contract/call-of.ts";
import { notAFile } from "../contract/refusals.ts";
import type { ReadOptions, TextWindow } from "../filesystem.ts";
import { toAgentPath } from "../path/path.ts";
import type { FilePath, LinePage, LineQuery } from "../storage.ts";
import { codePointLength } from "../text/utf8.ts";
import { explainMissing, useLs } from "./absent.ts";
import { pathFor, wholeNumber, type FsContext } from "./context.ts";

/**
 * Reads a window of lines. Offset 0 means 1.
 * Errors: not_found, not_a_file, not_text; invalid_argument for an offset or a column past the end, which names the real length.
 * Limits: at most maxReadLines lines, each of at most maxLineChars characters; nextOffset and nextColumn go on from there.
 */
export async function read(fs: FsContext, path: string, options: ReadOptions): Promise<TextWindow> {
  const file = pathFor(fs, path);
  const { maxLineChars, maxReadLines } = fs.limits;
  const offset = Math.max(1, wholeNumber(options.offset, { what: "offset", least: 0, fallback: 1 }));
  const limit = Math.min(maxReadLines, wholeNumber(options.limit, { what: "limit", least: 1, fallback: maxReadLines }));
  const column = wholeNumber(options.column, { what: "column", least: 1, fallback: 1 });
  if (file === "") throw notAFile(file, useLs);
  const page = await linesOf(fs, file, { ...callOf(options), offset, limit, column, maxLineChars });
  checkInside(page, offset, column);
  return { ...windowOf(page, column), path: toAgentPath(page.info.path) };
}

async function linesOf(fs: FsContext, file: FilePath, query: LineQuery): Promise<LinePage> {
  try {
    return await fs.storage.lines(file, query);
  } catch (error) {
    throw await explainMissing(fs, file, { error, options: query });
  }
}

function checkInside(page: LinePage, offset: number, column: number): void {
  const { firstLineChars, totalLines } = page;
  const path = toAgentPath(page.info.path);
  // An empty file has no line 1, yet reading it from the start is no mistake.
  if (offset > Math.max(1, totalLines)) {
    const advice = totalLines === 0 ? "It is empty." : `Use offset ${totalLines} to see the last line.`;
    throw new HangoError("invalid_argument", `${path} has ${totalLines} lines, so offset ${offset} is past the end. ${advice}`, {
      path,
      details: { totalLines },
    });
  }
  const chars = firstLineChars ?? 0;
  if (column > Math.max(1, chars))
    throw new HangoError("invalid_argument", `Line ${offset} of ${path} has ${chars} characters, so column ${column} is past its end.`, {
      path,
      details: { lineChars: chars },
    });
}

function windowOf(page: LinePage, column: number): Omit<TextWindow, "path"> {
  const { info, lines, totalLines } = page;
  const last = lines.at(-1);
  const shown = { version: info.version, sizeBytes: info.sizeBytes, totalLines, lines };
  if (last === undefined) return shown;
  const start = lines.length === 1 ? column : 1;
  return {
    ...shown,
    ...(last.number < totalLines ? { nextOffset: last.number + 1 } : {}),
    ...(last.clipped ? { nextColumn: start + codePointLength(last.text) } : {}),
  };
}
