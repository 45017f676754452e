/** A directory known by its name: for systems that can't look up a name below an open directory. */
import { fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { idOf, type Directory } from "./directory.ts";

/**
 * Checks before each use that the name still means the same directory inside the root, and after each open that the file is the one that
 * stands there. Between a check and the use another process can still swap a link in: that is the race which has to be accepted.
 */
export function namedDirectory(path: string, root: string = path): Directory {
  const id = idAt(path, root);
  const check = (): void => {
    if (idAt(path, root) !== id) throw swapped(path);
  };
  return {
    at: (name) => {
      check();
      return join(path, name);
    },
    self: path,
    id,
    child: (name) => {
      check();
      return namedDirectory(join(path, name), root);
    },
    confirm: (name, descriptor) => {
      check();
      const stats = lstatSync(join(path, name), { bigint: true, throwIfNoEntry: false });
      if (stats === undefined || stats.isSymbolicLink() || idOf(stats) !== idOf(fstatSync(descriptor, { bigint: true }))) throw swapped(join(path, name));
    },
    reopen: () => namedDirectory(path, root),
    // Windows opens no directory; its own journal keeps the names.
    openToSync: () => (sep === "/" ? openSync(path, "r") : undefined),
    close: () => undefined,
  };
}

function idAt(path: string, root: string): string {
  const stats = lstatSync(path, { bigint: true });
  const real = realpathSync.native(path);
  const inside = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
  if (!stats.isDirectory() || !inside) throw swapped(path);
  return idOf(stats);
}

/** The error that the system itself gives where it can be told not to follow links. */
function swapped(path: string): Error {
  return Object.assign(new Error(`a link or another thing was put at ${path}`), { code: "ELOOP" });
}
