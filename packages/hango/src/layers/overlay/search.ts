/** Search of an overlay: a substring over the merged view, whatever the base's own search would find. */
import { listPages } from "../../contract/derive/pages.ts";
import { makePace } from "../../contract/pace.ts";
import { searchableBytes } from "../../contract/searchable-bytes.ts";
import { processLimits } from "../../limits.ts";
import type { FilePath, ListOptions } from "../../storage.ts";
import { findAll } from "../../text/find.ts";
import { decodeText } from "../../text/utf8.ts";
import { listView, readView, type View } from "./view.ts";

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
      const bytes = await searchableBytes((path, call) => readView(view, path as FilePath, call), info, {
        ...options,
        maxBytes: processLimits.maxOffloadBytes,
      });
      const text = bytes && decodeText(bytes);
      await pace(text?.length ?? 1);
      if (text !== undefined && findAll(text.toLowerCase(), wanted).starts > 0) found.push(info.path);
      if (found.length >= limit) return found;
    }
  }
  return found;
}
