import { listPages } from "../contract/derive/pages.ts";
import type { FileSystem } from "../filesystem.ts";
import type { Guard } from "../layers/guard.ts";
import type { Limits } from "../limits.ts";
import { parseAgentPath, toFilePath } from "../path/path.ts";
import type { CallOptions, FilePath } from "../storage.ts";

/**
 * A session's FileSystem: an edit or delete that no one could allow is refused before anything is read,
 * so that the answer never tells whether the file is there.
 */
export function sessionFiles(fs: FileSystem, guard: Guard, limits: Limits): FileSystem {
  const parse = (path: string): FilePath | "" => toFilePath(parseAgentPath(path, { maxDepth: limits.maxPathDepth }));

  /** Checks everything below before the first file goes. */
  async function checkTree(directory: FilePath | "", { signal, origin }: CallOptions): Promise<void> {
    if (directory !== "") await guard.refuseTree(directory, origin);
    // With apply, the guard sees every path of the one call.
    if (guard.storage.apply !== undefined) return;
    const listing = { prefix: directory, ...(signal === undefined ? {} : { signal }) };
    for await (const page of listPages(guard.storage.list, listing)) {
      for (const { path } of page) await guard.refuse("delete", path as FilePath, origin);
    }
  }

  return {
    ...fs,
    edit: async (path, oldText, newText, options = {}) => {
      const file = parse(path);
      if (file !== "") await guard.refuse("write", file, options.origin);
      return fs.edit(path, oldText, newText, options);
    },
    delete: async (path, options = {}) => {
      const file = parse(path);
      if (options.recursive === true) await checkTree(file, options);
      else if (file !== "") await guard.refuse("delete", file, options.origin);
      return fs.delete(path, options);
    },
  };
}
