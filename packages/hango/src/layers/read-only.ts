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
  const { close, record, search } = storage;
  const layer = defineLayer({
    name: `read-only ${storage.name}`,
    list: (options) => storage.list(options),
    read: (path, options) => storage.read(path, options),
    write: (path) => Promise.reject(readOnly(path)),
    delete: (path) => Promise.reject(readOnly(path)),
    stat: (path, options) => storage.stat(path, options),
    ls: (directory, options) => storage.ls(directory, options),
    lines: (path, query) => storage.lines(path, query),
    glob: (query) => storage.glob(query),
    grep: (query) => storage.grep(query),
    search: search && { syntax: search.syntax, paths: (query, options) => search.paths(query, options) },
    apply: undefined,
    record: record && ((event, options) => record(event, options)),
    close: close && (() => close()),
  });
  return withRootsOf(layer, [storage]);
}
