import { callOf } from "../contract/call-of.ts";
import type { DirEntry } from "../filesystem.ts";
import type { CallOptions } from "../storage.ts";
import { absent } from "./absent.ts";
import { entryOf, pathFor, type FsContext } from "./context.ts";

/** What stands at a path. Errors: not_found. */
export async function stat(fs: FsContext, path: string, options: CallOptions): Promise<DirEntry> {
  const at = pathFor(fs, path);
  const entry = await fs.storage.stat(at, callOf(options));
  if (entry === undefined) throw await absent(fs, at, options);
  return entryOf(entry);
}
