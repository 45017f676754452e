/** Search of an overlay: a substring over the merged view, whatever the base's own search would find. */
import { listPages } from "../../contract/derive/pages.ts";
import { makePace } from "../../contract/pace.ts";
import { isHangoError } from "../../errors.ts";
import { processLimits } from "../../limits.ts";
import type { FileInfo, FilePath, ListOptions } from "../../storage.ts";
import { findAll } from "../../text/find.ts";
import { decodeText } from "../../text/utf8.ts";
import { callOf, listView, readView, type View } from "./view.ts";

export const SEARCH_SYNTAX = "Case-insensitive substring of a file's text.";

/**
 * Paths of the text files that hold the query, by one read of the base for each file that is not held: one in memory at a time.
 * Files over what offload may store, and those that can't be read, go to `onSkip`.
 */
export async function searchView(view: View, query: string, options: ListOptions = {}): Promise<readonly string[]> {
  const { limit = Number.POSITIVE_INFINITY, ...rest } = options;
  const wanted = query.toLowerCase();
  const pace = makePace(options.signal);
  const found: string[] = [];
  if (limit === 0) return found;
  for await (const page of listPages((asked) => listView(view, asked), rest)) {
    for (const info of page) {
      const text = await textOf(view, info, options);
      await pace(text?.length ?? 1);
      if (text !== undefined && findAll(text.toLowerCase(), wanted).starts > 0) found.push(info.path);
      if (found.length >= limit) return found;
    }
  }
  return found;
}

async function textOf(view: View, { path, sizeBytes }: FileInfo, options: ListOptions): Promise<string | undefined> {
  const { maxOffloadBytes } = processLimits;
  if (sizeBytes > maxOffloadBytes) {
    options.onSkip?.(path, `larger than ${maxOffloadBytes} bytes`);
    return undefined;
  }
  try {
    return decodeText((await readView(view, path as FilePath, callOf(options))).bytes);
  } catch (error) {
    options.signal?.throwIfAborted();
    // A store that does not answer would make every file look unreadable: that is no answer at all.
    if (isHangoError(error, "unavailable") || isHangoError(error, "timeout")) throw error;
    // Deleted since it was listed: it is not there, so nothing was skipped.
    if (!isHangoError(error, "not_found")) options.onSkip?.(path, "could not be read");
    return undefined;
  }
}
