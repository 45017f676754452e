import { assertStorage } from "../contract/define-storage.ts";
import { defineLayer } from "../contract/define-layer.ts";
import { readOnly } from "../contract/refusals.ts";
import { withRootsOf } from "../contract/roots.ts";
import type { Storage } from "../storage.ts";

/**
 * Shows a storage and lets nothing in it change. It has no `apply`; `record` goes on, because what was denied is no file.
 * Errors: read_only for every write and delete.
 */
export function readOnlyStorage(storage: Storage): Storage {
  assertStorage(storage, "readOnlyStorage's storage");
  const layer = defineLayer({
    name: `read-only ${storage.name}`,
    list: storage.list,
    read: storage.read,
    write: (path) => Promise.reject(readOnly(path)),
    delete: (path) => Promise.reject(readOnly(path)),
    stat: storage.stat,
    ls: storage.ls,
    lines: storage.lines,
    glob: storage.glob,
    grep: storage.grep,
    search: storage.search,
    apply: undefined,
    record: storage.record,
    close: storage.close,
  });
  return withRootsOf(layer, [storage]);
}
