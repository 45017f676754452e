import { callOf } from "../../contract/call-of.ts";
import { notADirectory, notAFile } from "../../contract/refusals.ts";
import { ancestorsOf, isBelow } from "../../path/path.ts";
import type { CallOptions } from "../../storage.ts";
import { hiding } from "./pending.ts";
import { baseFile, type View } from "./view.ts";

/** The paths that an apply deletes, and the directories they stand in. */
export interface Leaving {
  readonly paths: ReadonlySet<string>;
  readonly directories: ReadonlySet<string>;
}

export function leavingOf(paths: readonly string[]): Leaving {
  return { paths: new Set(paths), directories: new Set(paths.flatMap(ancestorsOf)) };
}

/** A file and a directory never share a name. */
export async function checkPlace(view: View, path: string, { call, gone }: { readonly call: CallOptions; readonly gone: Leaving }): Promise<void> {
  const above = ancestorsOf(path);
  const held = above.find((ancestor) => view.pending.get(ancestor)?.kind === "file" && !gone.paths.has(ancestor));
  if (held !== undefined) throw notADirectory(path, held);
  for (const ancestor of above.toReversed()) {
    if (view.pending.get(ancestor)?.pin !== undefined) break; // a file of the base, so that what is above it are directories
    const entry = await view.base.stat(ancestor, callOf(call));
    if (entry?.kind === "file" && !gone.paths.has(ancestor) && (await baseFile(view, ancestor, call)).info !== undefined) throw notADirectory(path, ancestor);
    if (entry !== undefined) break;
  }
  const hide = gone.directories.has(path) ? [...gone.paths].filter((one) => isBelow(one, path)) : [];
  const filters = hiding(hide);
  const inBase = await view.base.stat(path, { ...callOf(call), filters: [...filters, ...view.pending.hidden(path)] });
  if (inBase?.kind === "directory" || view.pending.list({ prefix: path, filters, limit: 1 }).length > 0) throw notAFile(path);
}
