import { notADirectory } from "../contract/refusals.ts";
import type { DirEntry } from "../filesystem.ts";
import type { CallOptions } from "../storage.ts";
import { absent } from "./absent.ts";
import { callOf, entryOf, pathFor, wholeNumber, type FsContext } from "./context.ts";

export interface LsCall extends CallOptions {
  readonly after?: string;
  readonly limit?: number;
}

/** What stands directly below a directory, in byte order of names, a directory counted as its name with the slash. Errors: not_found, not_a_directory. */
export async function ls(fs: FsContext, path: string, options: LsCall): Promise<readonly DirEntry[]> {
  const directory = pathFor(fs, path);
  const { after } = options;
  const limit = wholeNumber(options.limit, { what: "limit", least: 1, fallback: Number.MAX_SAFE_INTEGER });
  const call = callOf(options);
  const entries = await fs.storage.ls(directory, { ...call, ...(after === undefined ? {} : { after }), ...(options.limit === undefined ? {} : { limit }) });
  if (entries.length === 0 && directory !== "") {
    const entry = await fs.storage.stat(directory, call);
    if (entry === undefined) throw await absent(fs, directory, options);
    if (entry.kind === "file") throw notADirectory(directory, directory);
  }
  return entries.map(entryOf);
}
