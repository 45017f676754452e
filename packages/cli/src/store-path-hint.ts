/** Tells whoever names a file of this machine where a path of the store was meant. */
import { existsSync } from "node:fs";
import type { HangoError } from "hango";

/** What to add to a message: "" unless the path is missing in the store and stands on this machine, from its root or below the working directory. */
export function storePathHint({ code, path }: Pick<HangoError, "code" | "path">): string {
  if (code !== "not_found" || path === undefined || path === "/") return "";
  if (!existsSync(path) && !existsSync(`.${path}`)) return "";
  return " A file of this machine has that name; paths are the store's own and begin at its /, where “hango ls” starts.";
}
