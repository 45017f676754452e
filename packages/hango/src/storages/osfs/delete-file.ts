/** Takes one name away, and the directories that this storage made for it when nothing is left in them. */
import { unlinkSync } from "node:fs";
import { conflict, notAFile } from "../../contract/refusals.ts";
import { isHangoError, notFound } from "../../errors.ts";
import { ancestorsOf } from "../../path/path.ts";
import type { DeleteOptions } from "../../storage.ts";
import { isHiddenName } from "./hidden-names.ts";
import { checkVersion, occupant } from "./occupant.ts";
import { isMissing, isSwapped, osCode } from "./os-errors.ts";
import { DISK_WORK } from "./root.ts";
import { removeIfEmpty, withParent } from "./parents.ts";
import type { WriteContext } from "./write-file.ts";

export async function deleteFile({ root, made }: WriteContext, path: string, options: DeleteOptions = {}): Promise<void> {
  const { ifVersion, signal } = options;
  await root.pace(DISK_WORK.write);
  signal?.throwIfAborted();
  if (path.split("/").some(isHiddenName)) throw missing(path, ifVersion);
  if (!remove(root, path, ifVersion)) throw missing(path, ifVersion);
  // Without gaps from the file's own directory up: what someone else made in between stays, and so does all above it.
  const ancestors = ancestorsOf(path);
  const kept = ancestors.findLastIndex((directory) => !made.has(directory));
  for (const directory of removeIfEmpty(root, ancestors.slice(kept + 1))) made.delete(directory);
}

function missing(path: string, ifVersion: string | undefined): Error {
  return ifVersion === undefined ? notFound(path) : conflict(path);
}

/** False when no file is there. */
function remove(root: WriteContext["root"], path: string, ifVersion: string | undefined): boolean {
  try {
    return withParent(root, path, (parent, name) => {
      if (parent === undefined) return false;
      const current = occupant(parent, name, path);
      if (current === undefined || current === "empty") return false;
      checkVersion(current, path, ifVersion);
      unlinkSync(parent.at(name));
      return true;
    });
  } catch (error) {
    // A directory took the name between the look and the unlink.
    if (osCode(error) === "EISDIR") throw notAFile(path);
    // Below a file there is nothing; and what was removed or swapped between the look and the unlink is not there any more.
    if (isMissing(error) || isSwapped(error) || isHangoError(error, "not_a_directory")) return false;
    throw error;
  }
}
