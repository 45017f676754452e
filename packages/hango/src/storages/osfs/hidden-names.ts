/** Names that are never listed, read or written: git's own directory, and files that a write has not finished. */
import { randomBytes } from "node:crypto";
import { sep } from "node:path";

/** What HFS+ leaves out when it compares names. Source: git's is_hfs_dotgit. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** What NTFS takes for .git: its short name, ends of spaces and dots, a stream. Source: git's is_ntfs_dotgit. */
const gitOnSomeDisk = /^(?:\.git|git~1)[ .]*(?::.*)?$/i;
const temporary = /^\.hango-[0-9a-f]{24}\.tmp$/i;

/** True for every spelling of .git that some disk takes for it. */
export function isGitName(name: string): boolean {
  return gitOnSomeDisk.test(name.replace(ignorable, ""));
}

/** A name for a file that is being written; it can't be guessed, so nobody waits for it with a link. */
export function temporaryName(): string {
  return `.hango-${randomBytes(12).toString("hex")}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return temporary.test(name);
}

/** What Windows reads as another name, a stream or a device: ".. " is its "..". */
const unsafeOnWindows = /[<>:"|?*]|[ .]$|^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/** True for a name that does not mean itself on Windows. */
export function isUnsafeOnWindows(name: string): boolean {
  return unsafeOnWindows.test(name);
}

/** True for a name that no call may reach. */
export function isHiddenName(name: string): boolean {
  return isGitName(name) || isTemporaryName(name) || (sep === "\\" && isUnsafeOnWindows(name));
}
