import { assertStorage } from "../contract/define-storage.ts";
import type { FileSystem } from "../filesystem.ts";
import { resolveLimits, type Limits } from "../limits.ts";
import type { Storage } from "../storage.ts";
import type { FsContext } from "./context.ts";
import { deletePath } from "./delete.ts";
import { edit } from "./edit.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { ls } from "./ls.ts";
import { read } from "./read.ts";
import { stat } from "./stat.ts";
import { write } from "./write.ts";

/** Makes the eight text operations of a storage. Errors: invalid_argument for what defineStorage did not make, or a limit out of range. */
export function createFileSystem(storage: Storage, options: { readonly limits?: Partial<Limits> } = {}): FileSystem {
  assertStorage(storage, "createFileSystem's storage");
  const fs: FsContext = { storage, limits: resolveLimits(options.limits) };
  return {
    ls: async (path, given = {}) => ls(fs, path, given),
    stat: async (path, given = {}) => stat(fs, path, given),
    read: async (path, given = {}) => read(fs, path, given),
    write: async (path, text, given = {}) => write(fs, path, text, given),
    edit: async (path, oldText, newText, given = {}) => edit(fs, path, { ...given, oldText, newText }),
    glob: async (pattern, given = {}) => glob(fs, pattern, given),
    grep: async (pattern, given = {}) => grep(fs, pattern, given),
    delete: async (path, given = {}) => deletePath(fs, path, given),
  };
}
