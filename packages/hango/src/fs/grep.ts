import { callOf } from "../contract/call-of.ts";
import type { GrepOptions, GrepResult } from "../filesystem.ts";
import { MAX_GREP_CONTEXT } from "../limits.ts";
import { toAgentPath } from "../path/path.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { absent } from "./absent.ts";
import { pathFor, wholeNumber, type FsContext } from "./context.ts";
import { collectSkipped } from "./skipped.ts";

/** Lines that match, by path, then line. Errors: invalid_pattern, invalid_argument, timeout; not_found for the path. Limits: maxMatches. */
export async function grep(fs: FsContext, pattern: string, options: GrepOptions): Promise<GrepResult> {
  const { ignoreCase = false, include, literal = false } = options;
  const root = pathFor(fs, options.path ?? "/");
  const { maxFileBytes, maxMatches, maxOffloadBytes } = fs.limits;
  const maxCount = wholeNumber(options.maxCount, { what: "maxCount", least: 1, most: maxMatches, fallback: maxMatches });
  const context = wholeNumber(options.context, { what: "context", least: 0, most: MAX_GREP_CONTEXT, fallback: 0 });
  const call = callOf(options);
  const skipped = collectSkipped();
  const hits = await fs.storage.grep({
    ...call,
    pattern: parsePattern(pattern, { literal, ignoreCase }),
    root,
    ...(include === undefined ? {} : { include: parseGlob(include) }),
    context,
    // One more than is shown tells whether anything was dropped.
    limit: maxCount + 1,
    // Whatever a session with these limits may store, it can search.
    maxBytes: Math.max(maxFileBytes, maxOffloadBytes),
    onSkip: skipped.onSkip,
  });
  if (hits.length === 0 && root !== "" && (await fs.storage.stat(root, call)) === undefined) throw await absent(fs, root, options);
  const matches = hits.slice(0, maxCount).map((hit) => ({ ...hit, path: toAgentPath(hit.path) }));
  return { matches, truncated: hits.length > maxCount, skipped: skipped.paths() };
}
