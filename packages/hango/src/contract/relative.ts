import { baseName } from "../path/path.ts";

/** A path as a pattern sees it: relative to the root, or its name when the root is the file itself. */
export function relativeTo(path: string, root: string): string {
  if (root === "") return path;
  return path === root ? baseName(path) : path.slice(root.length + 1);
}
