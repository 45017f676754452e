import { isHangoError } from "../../errors.ts";
import { GREP_TIMEOUT_MS, processLimits } from "../../limits.ts";
import type { CallOptions, FileInfo, GrepHit, GrepQuery } from "../../storage.ts";
import { matchGlob, type GlobMeter } from "../../text/glob.ts";
import { lineAfter, lineAt, lineBefore } from "../../text/lines.ts";
import { type LineMatch, matchLines } from "../../text/pattern/match-lines.ts";
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
/** What may be spent on each character besides: an ordinary pattern takes about a fifth of it, so that a large tree is no timeout and a hostile pattern is one. */
const CHAR_MS: number = 100 / 1024 ** 2;
/** What it costs to cut one line to what is shown of it. */
const HIT_WORK = 500;

/**
 * Matching lines, by reading one file after another until the limit is reached: never more than one is in memory.
 * Errors: timeout after GREP_TIMEOUT_MS of matching and what the size of the text allows besides; reading is not counted.
 */
export async function deriveGrep(source: Pick<Source, "list" | "read">, query: GrepQuery): Promise<readonly GrepHit[]> {
  const { filters, include, limit, maxBytes = processLimits.maxOffloadBytes, onSkip, origin, root, signal } = query;
  const call: CallOptions = { ...(signal === undefined ? {} : { signal }), ...(origin === undefined ? {} : { origin }) };
  const listing = { ...call, ...(filters === undefined ? {} : { filters }), ...(onSkip === undefined ? {} : { onSkip }), prefix: root };
  const hits: GrepHit[] = [];
  if (limit === 0) return hits;
  const pace = makePace(signal);
  const work = createMatchWork(GREP_TIMEOUT_MS); // one for all files, so that its limits bound the whole grep
  for await (const page of listPages(source.list, listing)) {
    for (const info of page) {
      const meter: GlobMeter = { steps: FILE_WORK };
      const wanted = include === undefined || matchGlob(include, relativeTo(info.path, root), meter);
      await pace(meter.steps);
      if (!wanted) continue;
      const content = await contentOf(source.read, info, { ...call, maxBytes, ...(onSkip === undefined ? {} : { onSkip }) });
      if (content === undefined) continue;
      await pace(content.length);
      work.timeoutMs += content.length * CHAR_MS;
      const found = await drain(matchLines(query.pattern, content, { limit: limit - hits.length, work }), signal);
      for (const match of found) {
        const hit = showHit(info.path, content, match, query.context);
        hits.push(hit);
        await pace(HIT_WORK * (1 + 2 * query.context));
      }
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

/** Looks at the lines around the match only: a file may be a million lines. */
function showHit(path: string, content: string, { line, column, start }: LineMatch, context: number): GrepHit {
  const text = lineWindow(lineAt(content, start), column);
  if (context === 0) return { path, line, column, text };
  const before: string[] = [];
  const after: string[] = [];
  for (let at = lineBefore(content, start); at !== undefined && before.length < context; at = lineBefore(content, at))
    before.unshift(clipLine(lineAt(content, at)));
  for (let at = lineAfter(content, start); at !== undefined && after.length < context; at = lineAfter(content, at)) after.push(clipLine(lineAt(content, at)));
  return { path, line, column, text, before, after };
}
