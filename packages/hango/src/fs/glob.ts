import { callOf } from "../contract/call-of.ts";
import type { GlobResult } from "../filesystem.ts";
import { toAgentPath } from "../path/path.ts";
import type { CallOptions } from "../storage.ts";
import { parseGlob } from "../text/glob.ts";
import { checkDirectory } from "./absent.ts";
import { pathFor, wholeNumber, type FsContext } from "./context.ts";
import { collectSkipped } from "./skipped.ts";

export interface GlobCall extends CallOptions {
  readonly root?: string;
  readonly maxCount?: number;
}

/** Files whose path matches, in byte order. Errors: invalid_pattern; not_found, not_a_directory for the root. Limits: maxMatches. */
export async function glob(fs: FsContext, pattern: string, options: GlobCall): Promise<GlobResult> {
  const root = pathFor(fs, options.root ?? "/");
  const { maxMatches } = fs.limits;
  const maxCount = wholeNumber(options.maxCount, { what: "maxCount", least: 1, most: maxMatches, fallback: maxMatches });
  const call = callOf(options);
  const skipped = collectSkipped();
  // One more than is shown tells whether anything was dropped.
  const paths = await fs.storage.glob({ ...call, pattern: parseGlob(pattern), root, limit: maxCount + 1, onSkip: skipped.onSkip });
  if (paths.length === 0) await checkDirectory(fs, root, options);
  return { paths: paths.slice(0, maxCount).map(toAgentPath), truncated: paths.length > maxCount, skipped: skipped.paths() };
}
