import { LIST_PAGE } from "../../limits.ts";
import { comparePaths, parentOf } from "../../path/path.ts";
import type { CallOptions, FileInfo, Storage } from "../../storage.ts";

/** Paths from which on a page of the listing is worth asking for. */
const MANY = 64;

/**
 * Infos of those of many paths that the listing gives with few pages: where a whole directory is deleted, one page tells of a thousand.
 * It ends at the first page that tells of fewer than MANY; the paths after it are the caller's to ask for.
 */
export async function listedInfos(base: Storage, paths: readonly string[], call: CallOptions): Promise<ReadonlyMap<string, FileInfo>> {
  const found = new Map<string, FileInfo>();
  const sorted = paths.toSorted(comparePaths);
  const [first] = sorted;
  if (first === undefined || sorted.length < MANY) return found;
  let after = parentOf(first) === "" ? "" : `${parentOf(first)}/`;
  for (let at = 0; at < sorted.length;) {
    const page = await base.list({ ...call, after, limit: LIST_PAGE });
    const infos = new Map(page.map((info) => [info.path, info]));
    const end = page.length < LIST_PAGE ? undefined : page.at(-1)?.path;
    const before = found.size;
    for (; at < sorted.length && (end === undefined || comparePaths(sorted[at] as string, end) <= 0); at++) {
      const info = infos.get(sorted[at] as string);
      if (info !== undefined) found.set(info.path, info);
    }
    if (end === undefined || found.size - before < MANY) break;
    after = end;
  }
  return found;
}
