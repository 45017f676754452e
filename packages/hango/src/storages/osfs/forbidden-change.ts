/** Whether a path is one that no write or delete ever reaches: a hidden name, a link and what stands behind it, a pipe or a device. */
import { lstatSync } from "node:fs";
import { type HangoError, isHangoError } from "../../errors.ts";
import { notRegular, throughLink, translated } from "./os-errors.ts";
import { withParent } from "./parents.ts";
import { DISK_WORK, type Root } from "./root.ts";

export async function forbiddenChange(root: Root, path: string): Promise<HangoError | undefined> {
  await root.pace(DISK_WORK.stat);
  try {
    return withParent(root, path, (parent, name) => {
      const stats = parent && lstatSync(parent.at(name), { throwIfNoEntry: false });
      if (stats === undefined || stats.isFile() || stats.isDirectory()) return undefined;
      return stats.isSymbolicLink() ? throughLink(path, path) : notRegular(path);
    });
  } catch (error) {
    const known = translated(error, "write", path);
    if (isHangoError(known, "forbidden")) return known;
    // A file on the way may be deleted, a disk may answer again: nothing that is so for good.
    if (isHangoError(known)) return undefined;
    throw error;
  }
}
