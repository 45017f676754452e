/** list, stat and ls of a directory, and one listing in pages for glob and grep. */
import { comparePaths } from "../../path/path.ts";
import { directoryMayShow } from "../../contract/check-answers.ts";
import { isShown } from "../../path/filter.ts";
import type { Entry, FileInfo, FilterOptions, ListOptions, LsOptions, Storage } from "../../storage.ts";
import { orderOf, sortedEntries, type DirectoryEntry } from "./entries.ts";
import { withFound } from "./find.ts";
import type { Root } from "./root.ts";
import { describeFiles, holdsFile, walkFiles } from "./walk.ts";

const LS_BATCH = 128;

export async function listFiles(root: Root, options: ListOptions = {}): Promise<readonly FileInfo[]> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const infos: FileInfo[] = [];
  if (limit === 0) return infos;
  for await (const batch of walkFiles(root, options)) {
    for (const info of batch) {
      infos.push(info);
      if (infos.length === limit) return infos;
    }
  }
  return infos;
}

/** A list for a reader of pages that takes no versions from it: it goes on with the walk that the first page began, instead of walking up to `after` again. */
export function pagedList(root: Root): Storage["list"] {
  let walk: AsyncGenerator<readonly FileInfo[], void> | undefined;
  const left: FileInfo[] = [];
  return async (options = {}) => {
    const { limit = Number.POSITIVE_INFINITY } = options;
    walk ??= walkFiles(root, { ...options, versions: "any" });
    while (left.length < limit) {
      const step = await walk.next();
      if (step.done === true) break;
      left.push(...step.value);
    }
    return left.splice(0, limit);
  };
}

export async function statPath(root: Root, path: string, options: FilterOptions = {}): Promise<Entry | undefined> {
  const kind = withFound(root, path, (found) => found.kind);
  if (kind === "directory") return (await holdsFile(root, path, options)) ? { kind, path } : undefined;
  if (kind !== "file" || !isShown(path, options.filters)) return undefined;
  const [info] = await describeFiles(root, [{ name: path, path, kind: "link" }], options);
  return info === undefined ? undefined : { kind, info };
}

export async function lsDirectory(root: Root, directory: string, options: LsOptions = {}): Promise<readonly Entry[]> {
  const { after = "", filters, limit = Number.POSITIVE_INFINITY } = options;
  const entries: Entry[] = [];
  let files: DirectoryEntry[] = [];
  const describe = async (): Promise<void> => {
    for (const info of await describeFiles(root, files, options)) entries.push({ kind: "file", info });
    files = [];
  };
  for (const entry of await sortedEntries(root, directory, options)) {
    if (comparePaths(orderOf(entry), after) <= 0) continue;
    if (entry.kind === "directory") {
      if (!directoryMayShow(entry.path, filters) || !(await holdsFile(root, entry.path, options))) continue;
      await describe();
      entries.push({ kind: "directory", path: entry.path });
    } else if (isShown(entry.path, filters)) {
      files.push(entry);
      if (files.length >= Math.min(LS_BATCH, limit - entries.length)) await describe();
    }
    if (entries.length >= limit) break;
  }
  await describe();
  return entries.slice(0, limit);
}
