import type { FileSystem } from "../filesystem.ts";
import { pathFor } from "../fs/context.ts";
import { type TreeLook, withTreeLook } from "../fs/tree-look.ts";
import type { Guard } from "../layers/guard.ts";
import type { Limits } from "../limits.ts";
import type { FilePath } from "../storage.ts";

/**
 * A session's FileSystem: an edit or delete that no one could allow is refused before anything is read,
 * so that the answer never tells whether the file is there.
 */
export function sessionFiles(fs: FileSystem, guard: Guard, limits: Limits): FileSystem {
  return {
    ...fs,
    edit: async (path, oldText, newText, options = {}) => {
      const file = pathFor({ limits }, path);
      if (file !== "") await guard.refuse("write", file, options.origin);
      return fs.edit(path, oldText, newText, options);
    },
    delete: async (path, options = {}) => {
      const file = pathFor({ limits }, path);
      const { origin, recursive } = options;
      if (file !== "") await (recursive === true ? guard.refuseTree(file, origin) : guard.refuse("delete", file, origin));
      if (recursive !== true) return fs.delete(path, options);
      // Everything that it takes must be allowed before the first file goes.
      const look: TreeLook = async ({ files }) => {
        for (const below of files) await guard.refuse("delete", below.path as FilePath, origin);
      };
      return fs.delete(path, withTreeLook(options, look));
    },
  };
}
