import { baseName } from "../path/path.ts";
import type { Entry } from "../storage.ts";

/** The name by which ls orders an entry: a directory counts as its name with the slash. */
export function entryName(entry: Entry): string {
  return entry.kind === "file" ? baseName(entry.info.path) : `${baseName(entry.path)}/`;
}
