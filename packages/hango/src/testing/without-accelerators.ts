/** The other half of a differential test: a storage's four methods and features, every accelerator the derived one. */
import { defineStorage } from "../contract/define-storage.ts";
import type { Storage } from "../storage.ts";

/** Wraps a storage so that stat, ls, lines, glob and grep are derived from list and read. Native and derived answers must be equal. */
export function withoutAccelerators(storage: Storage): Storage {
  return defineStorage({
    name: `${storage.name} without accelerators`,
    list: (options) => storage.list(options),
    read: (path, options) => storage.read(path, options),
    write: (path, bytes, options) => storage.write(path, bytes, options),
    delete: (path, options) => storage.delete(path, options),
    search: storage.search,
    apply: storage.apply,
    record: storage.record,
    close: storage.close,
  });
}
