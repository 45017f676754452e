/** The directory that a storage stands on, held open until the storage is closed. */
import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { makePace, type Pace } from "../../contract/pace.ts";
import type { DirectoryRoot } from "../../contract/roots.ts";
import { HangoError } from "../../errors.ts";
import { quoteText } from "../../text/quote.ts";
import { descriptorDirectory, idOf, type Directory } from "./directory.ts";
import { namedDirectory } from "./named-directory.ts";
import { isMissing } from "./os-errors.ts";

/** What calls to the disk cost, in characters matched. */
export const DISK_WORK = { openDirectory: 10_000, name: 1_000, stat: 3_000, read: 20_000, write: 100_000 } as const;

export interface Root {
  /** The open directory; whoever takes it leaves it open. Errors: unavailable once the storage is closed, or the directory removed. */
  readonly top: () => Directory;
  readonly identity: DirectoryRoot;
  /** Lets others run after each slice of calls to the disk, which wait for it; all calls of the storage count together. */
  readonly pace: Pace;
  readonly close: () => void;
}

/** "descriptors" leaves no race; "names" checks before and after, which another process can slip between. */
export type WalkBy = "descriptors" | "names";

/** Opens it. Errors: not_found, not_a_directory. Links in the path to the directory itself are followed, once and here. */
export function openRoot(directory: string, walkBy: WalkBy): Root {
  const realPath = realPathOf(directory);
  const top = walkBy === "descriptors" ? descriptorDirectory(realPath) : namedDirectory(realPath);
  const identity = { realPath, id: top.id, above: idsAbove(realPath) };
  let open = true;
  return {
    identity,
    pace: makePace(undefined),
    top: () => {
      if (!open) throw new HangoError("unavailable", "The storage of this directory was closed; open it again with osStorage.");
      if (isRemoved(top)) throw new HangoError("unavailable", "The directory of this storage was removed; open it again with osStorage when it is back.");
      return top;
    },
    close: () => {
      if (open) top.close();
      open = false;
    },
  };
}

/** True where a name can be looked up below an open directory. */
export function hasDescriptorPaths(): boolean {
  return process.platform === "linux" && lstatSync("/proc/self/fd/0", { throwIfNoEntry: false }) !== undefined;
}

function realPathOf(directory: string): string {
  try {
    const realPath = realpathSync.native(directory);
    if (statSync(realPath).isDirectory()) return realPath;
  } catch (error) {
    if (isMissing(error))
      throw new HangoError("not_found", `osStorage: the directory ${quoteText(directory, 500)} does not exist; create it first.`, { cause: error });
    throw error;
  }
  throw new HangoError("not_a_directory", `osStorage: ${quoteText(directory, 500)} is not a directory.`);
}

/** A removed directory is still open, but no name leads to it: it would look empty, and like one that another process keeps moving. */
function isRemoved(top: Directory): boolean {
  return (statSync(top.self, { throwIfNoEntry: false })?.nlink ?? 0) === 0;
}

/** Nearest first, up to the top of the machine. */
function idsAbove(realPath: string): readonly string[] {
  const ids: string[] = [];
  for (let at = realPath; at !== dirname(at);) {
    at = dirname(at);
    ids.push(idOf(statSync(at, { bigint: true })));
  }
  return ids;
}
