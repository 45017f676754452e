/** What a new file takes over from the one it replaces. */
import { fchmodSync, fchownSync, fstatSync, futimesSync, type BigIntStats } from "node:fs";
import { isDenied, osCode } from "./os-errors.ts";
import { nextStamp } from "./versions.ts";

const NEW_FILE_MODE = 0o644;
/** While the content is written: the file that it replaces may be private, so nobody else reads the draft either. */
export const DRAFT_MODE = 0o600;
/** What of an old file's mode stays: a file that an agent wrote never runs with its owner's rights. */
const KEPT_MODE = 0o777;

/** Gives the draft the mode and the owner of the file it replaces, and a time of change of its own. */
export function dress(descriptor: number, current: BigIntStats | undefined): void {
  fchmodSync(descriptor, current === undefined ? NEW_FILE_MODE : Number(current.mode) & KEPT_MODE);
  const stamp = nextStamp();
  futimesSync(descriptor, stamp, stamp);
  // Last: what is given away can't be changed any more.
  if (current !== undefined) keepOwner(descriptor, current);
}

/** Where this process may not give the file away, the new one is the writer's, as with every editor that renames: root in a container often may not. */
function keepOwner(descriptor: number, { uid, gid }: BigIntStats): void {
  const own = fstatSync(descriptor, { bigint: true });
  if (own.uid === uid && own.gid === gid) return;
  try {
    fchownSync(descriptor, Number(uid), Number(gid));
  } catch (error) {
    // EINVAL: an owner that this user namespace has no number for.
    if (!isDenied(error) && osCode(error) !== "EINVAL") throw error;
  }
}
