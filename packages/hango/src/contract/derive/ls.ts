import { LIST_PAGE, MAX_PATH_BYTES, MAX_SEGMENT_BYTES } from "../../limits.ts";
import type { Entry, FilePath, LsOptions, Storage } from "../../storage.ts";
import { sliceCodePoints } from "../../text/utf8.ts";

/** The entries directly below a directory. A subdirectory costs one page at most: the rest of it is jumped over. */
export async function deriveLs(list: Storage["list"], directory: FilePath | "", options: LsOptions): Promise<readonly Entry[]> {
  const { after, limit = Number.POSITIVE_INFINITY, ...rest } = options;
  const head = directory === "" ? "" : `${directory}/`;
  const entries: Entry[] = [];
  let cursor = firstCursor(head, after);
  let open: string | undefined;
  while (entries.length < limit) {
    const pageSize = Math.min(LIST_PAGE, limit - entries.length);
    const page = await list({ ...rest, prefix: directory, ...(cursor === undefined ? {} : { after: cursor }), limit: pageSize });
    for (const info of page) {
      if (!info.path.startsWith(head)) continue; // the directory's own path, as a file
      const slash = info.path.indexOf("/", head.length);
      const below = slash === -1 ? undefined : info.path.slice(0, slash);
      if (below === undefined) entries.push({ kind: "file", info });
      else if (below !== open) entries.push({ kind: "directory", path: below });
      open = below;
    }
    if (page.length < pageSize) break;
    cursor = open === undefined ? (page.at(-1)?.path as string) : endOf(open);
  }
  return entries;
}

/** Where to start: after a file of that name, or after everything below a directory of that name. */
function firstCursor(head: string, after: string | undefined): string | undefined {
  if (after === undefined || after === "") return undefined;
  // What follows the longest name there can be decides nothing, and would make the cursor too long for list.
  const name = sliceCodePoints(after, 0, MAX_SEGMENT_BYTES + 1);
  const slash = name.indexOf("/");
  return slash === -1 ? head + name : endOf(head + name.slice(0, slash));
}

/** A cursor after every path below a directory and before the next sibling: the highest character, longer than a path may be. */
function endOf(directory: string): string {
  return `${directory}/${"\u{10ffff}".repeat(MAX_PATH_BYTES / 4)}`;
}
