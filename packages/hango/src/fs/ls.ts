import { callOf } from "../contract/call-of.ts";
import type { DirEntry } from "../filesystem.ts";
import type { CallOptions } from "../storage.ts";
import { checkDirectory } from "./absent.ts";
import { entryOf, pathFor, wholeNumber, type FsContext } from "./context.ts";

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
  if (entries.length === 0) await checkDirectory(fs, directory, options);
  return entries.map(entryOf);
}
