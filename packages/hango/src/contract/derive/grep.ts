import { isHangoError } from "../../errors.ts";
import { processLimits } from "../../limits.ts";
import type { CallOptions, FileInfo, GrepHit, GrepQuery } from "../../storage.ts";
import { matchGlob, type GlobMeter } from "../../text/glob.ts";
import { splitLines } from "../../text/lines.ts";
import { matchLines } from "../../text/pattern/match-lines.ts";
import { createMatchWork } from "../../text/pattern/work.ts";
import { decodeText } from "../../text/utf8.ts";
import { clipLine, lineWindow } from "../../text/window.ts";
import { drain } from "../drain.ts";
import { makePace } from "../pace.ts";
import { relativeTo } from "../relative.ts";
import type { Source } from "../source.ts";
import { listPages } from "./pages.ts";

/** What it costs to open a file, in characters matched. */
const FILE_WORK = 1_000;

/** Matching lines, by reading one file after another until the limit is reached: never more than one is in memory. */
export async function deriveGrep(source: Pick<Source, "list" | "read">, query: GrepQuery): Promise<readonly GrepHit[]> {
  const { filters, include, limit, maxBytes = processLimits.maxOffloadBytes, onSkip, origin, root, signal } = query;
  const call: CallOptions = { ...(signal === undefined ? {} : { signal }), ...(origin === undefined ? {} : { origin }) };
  const listing = { ...call, ...(filters === undefined ? {} : { filters }), ...(onSkip === undefined ? {} : { onSkip }), prefix: root };
  const hits: GrepHit[] = [];
  if (limit === 0) return hits;
  const pace = makePace(signal);
  const work = createMatchWork(); // one for all files, so that the work limit bounds the whole grep
  for await (const page of listPages(source.list, listing)) {
    for (const info of page) {
      const meter: GlobMeter = { steps: FILE_WORK };
      const wanted = include === undefined || matchGlob(include, relativeTo(info.path, root), meter);
      await pace(meter.steps);
      if (!wanted) continue;
      const content = await contentOf(source.read, info, { ...call, maxBytes, ...(onSkip === undefined ? {} : { onSkip }) });
      if (content === undefined) continue;
      await pace(content.length);
      const found = await drain(matchLines(query.pattern, content, { limit: limit - hits.length, work }), signal);
      if (found.length > 0) for (const hit of showHits(info.path, content, found, query.context)) hits.push(hit);
      if (hits.length >= limit) return hits;
    }
  }
  return hits;
}

/** The text of one file; undefined when grep has to go on without it, which `onSkip` is told. */
async function contentOf(
  read: Source["read"],
  info: FileInfo,
  options: CallOptions & Pick<GrepQuery, "onSkip"> & { readonly maxBytes: number },
): Promise<string | undefined> {
  const { maxBytes, onSkip, ...call } = options;
  if (info.sizeBytes > maxBytes) {
    onSkip?.(info.path, `larger than ${maxBytes} bytes`);
    return undefined;
  }
  try {
    const content = decodeText((await read(info.path, call)).bytes);
    if (content === undefined) onSkip?.(info.path, "binary");
    return content;
  } catch (error) {
    call.signal?.throwIfAborted();
    // A store that does not answer would make every file look unreadable: that is no answer at all.
    if (isHangoError(error, "unavailable") || isHangoError(error, "timeout")) throw error;
    // Deleted since it was listed: it is not there, so nothing was skipped.
    if (!isHangoError(error, "not_found")) onSkip?.(info.path, "could not be read");
    return undefined;
  }
}

function showHits(path: string, content: string, found: readonly { readonly line: number; readonly column: number }[], context: number): GrepHit[] {
  const lines = splitLines(content);
  return found.map(({ line, column }) => {
    const text = lineWindow(lines[line - 1] as string, column);
    if (context === 0) return { path, line, column, text };
    const before = lines.slice(Math.max(0, line - 1 - context), line - 1).map(clipLine);
    return { path, line, column, text, before, after: lines.slice(line, line + context).map(clipLine) };
  });
}
