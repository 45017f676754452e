import { GREP_TIMEOUT_MS, processLimits } from "../../limits.ts";
import type { GrepHit, GrepQuery } from "../../storage.ts";
import { matchGlob, type GlobMeter } from "../../text/glob.ts";
import { lineAfter, lineAt, lineBefore } from "../../text/lines.ts";
import { type LineMatch, matchLines } from "../../text/pattern/match-lines.ts";
import { createMatchWork } from "../../text/pattern/work.ts";
import { decodeText } from "../../text/utf8.ts";
import { clipLine, lineWindow } from "../../text/window.ts";
import { drain } from "../drain.ts";
import { makePace } from "../pace.ts";
import { relativeTo } from "../relative.ts";
import { searchableBytes } from "../searchable-bytes.ts";
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
  const { context, include, limit, maxBytes = processLimits.maxOffloadBytes, pattern, root, ...asked } = query;
  const { onSkip, signal } = asked;
  const hits: GrepHit[] = [];
  if (limit === 0) return hits;
  const pace = makePace(signal);
  const work = createMatchWork(GREP_TIMEOUT_MS); // one for all files, so that its limits bound the whole grep
  for await (const page of listPages(source.list, { ...asked, prefix: root })) {
    for (const info of page) {
      const meter: GlobMeter = { steps: FILE_WORK };
      const wanted = include === undefined || matchGlob(include, relativeTo(info.path, root), meter);
      await pace(meter.steps);
      if (!wanted) continue;
      const bytes = await searchableBytes(source.read, info, { ...asked, maxBytes });
      if (bytes === undefined) continue;
      const content = decodeText(bytes);
      if (content === undefined) {
        onSkip?.(info.path, "binary");
        continue;
      }
      await pace(content.length);
      work.timeoutMs += content.length * CHAR_MS;
      const found = await drain(matchLines(pattern, content, { limit: limit - hits.length, work }), signal);
      for (const match of found) {
        hits.push(showHit(info.path, content, match, context));
        await pace(HIT_WORK * (1 + 2 * context));
      }
      if (hits.length >= limit) return hits;
    }
  }
  return hits;
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
