/** An open directory, from which one name at a time is reached. */
import { closeSync, constants, fstatSync, openSync } from "node:fs";

/** Every call that takes `at(name)` must not follow a link at its end: lstat, unlink, rename, or open with O_NOFOLLOW. */
export interface Directory {
  readonly at: (name: string) => string;
  /** The directory itself, to list it. */
  readonly self: string;
  /** Device and inode. */
  readonly id: string;
  /** Opens the directory of that name. Errors: ENOTDIR or ELOOP for anything else, a link included. */
  readonly child: (name: string) => Directory;
  /** Holds what was opened by `at(name)` against what stands there. Errors: ELOOP when it was swapped. */
  readonly confirm: (name: string, descriptor: number) => void;
  /** The same directory, with a life of its own. */
  readonly reopen: () => Directory;
  /** A descriptor that fsync takes, for the caller to close; undefined where a directory has none. */
  readonly openToSync: () => number | undefined;
  readonly close: () => void;
}

export function idOf(stats: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${stats.dev}:${stats.ino}`;
}

/**
 * A directory held by its descriptor. Linux resolves `/proc/self/fd/N/name` from the open directory itself, so that no link swapped in
 * above it can lead the call elsewhere: what `openat` is for, which Node does not have.
 */
export function descriptorDirectory(path: string): Directory {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const self = `/proc/self/fd/${descriptor}`;
  const at = (name: string): string => `${self}/${name}`;
  return {
    at,
    self: at("."),
    // Asked when it is wanted: most directories are only passed through.
    get id(): string {
      return idOf(fstatSync(descriptor, { bigint: true }));
    },
    child: (name) => descriptorDirectory(at(name)),
    // It was opened below the directory itself, without following a link: there is nothing to confirm.
    confirm: () => undefined,
    reopen: () => descriptorDirectory(at(".")),
    openToSync: () => openSync(at("."), constants.O_RDONLY | constants.O_DIRECTORY),
    close: () => closeSync(descriptor),
  };
}
