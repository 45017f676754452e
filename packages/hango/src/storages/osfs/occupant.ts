/** What stands on the name that a change is about, and whether the change may go on. */
import { lstatSync, type BigIntStats } from "node:fs";
import { alreadyExists, conflict, notAFile } from "../../contract/refusals.ts";
import type { Version } from "../../storage.ts";
import type { Directory } from "./directory.ts";
import { notRegular, throughLink } from "./os-errors.ts";
import { holdsOnlyDirectories } from "./parents.ts";
import { versionOf } from "./versions.ts";

/**
 * The file there; undefined when the name is free; "empty" when only empty directories stand on it, which list does not show.
 * Errors: not_a_file for a directory with more in it, a pipe, a device; forbidden for a link.
 */
export function occupant(parent: Directory, name: string, path: string): BigIntStats | "empty" | undefined {
  const stats = lstatSync(parent.at(name), { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return stats;
  if (stats.isSymbolicLink()) throw throughLink(path, path);
  if (!stats.isDirectory()) throw notRegular(path);
  if (!holdsOnlyDirectories(parent, name)) throw notAFile(path);
  return "empty";
}

/** Errors: conflict with the current version, already_exists. */
export function checkVersion(current: BigIntStats | "empty" | undefined, path: string, ifVersion: Version | "absent" | undefined): void {
  if (ifVersion === undefined) return;
  const version = current === undefined || current === "empty" ? undefined : versionOf(current);
  if (ifVersion === "absent") {
    if (version !== undefined) throw alreadyExists(path, version);
  } else if (version !== ifVersion) throw conflict(path, version);
}
