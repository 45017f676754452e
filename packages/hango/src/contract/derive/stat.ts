import type { Entry, FilePath, FilterOptions, Storage } from "../../storage.ts";

/** What is at a path, by one row of list: the file itself sorts before everything below it. */
export async function deriveStat(list: Storage["list"], path: FilePath, options: FilterOptions): Promise<Entry | undefined> {
  const [first] = await list({ ...options, prefix: path, limit: 1 });
  if (first === undefined) return undefined;
  return first.path === path ? { kind: "file", info: first } : { kind: "directory", path };
}
