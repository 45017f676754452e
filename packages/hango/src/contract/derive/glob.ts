import { isHangoError } from "../../errors.ts";
import { isBelow, parseDirectory } from "../../path/path.ts";
import type { GlobQuery, ListOptions, Storage } from "../../storage.ts";
import { globPrefix, matchGlob, type GlobMeter, type GlobPattern } from "../../text/glob.ts";
import { makePace } from "../pace.ts";
import { relativeTo } from "../relative.ts";
import { listPages } from "./pages.ts";

/** Paths that match, by listing what is below the root, or below the directories that the pattern spells out. */
export async function deriveGlob(list: Storage["list"], query: GlobQuery): Promise<readonly string[]> {
  const { pattern, root, limit, ...rest } = query;
  const paths: string[] = [];
  if (limit === 0) return paths;
  const pace = makePace(query.signal);
  for await (const page of listPages(list, { ...rest, ...literalDirectory(pattern, root) })) {
    for (const { path } of page) {
      const meter: GlobMeter = { steps: 1 };
      const matches = isBelow(path, root) && matchGlob(pattern, relativeTo(path, root), meter);
      await pace(meter.steps);
      if (!matches) continue;
      paths.push(path);
      if (paths.length === limit) return paths;
    }
  }
  return paths;
}

/** The directory that every match is below. Only names that a path can hold narrow it; the rest of the head is left to the matcher. */
function literalDirectory(pattern: GlobPattern, root: string): Pick<ListOptions, "prefix"> {
  const head = globPrefix(pattern);
  const literal = head.slice(0, head.lastIndexOf("/") + 1);
  const directory = [root, ...literal.split("/")].filter((name) => name !== "").join("/");
  try {
    return { prefix: parseDirectory(directory) };
  } catch (error) {
    // No file has such a path ("a/../b"), so the matcher finds none below the root either.
    if (!isHangoError(error, "invalid_path")) throw error;
    return { prefix: root };
  }
}
