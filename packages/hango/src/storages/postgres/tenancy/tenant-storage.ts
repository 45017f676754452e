/** Files of a tenant's agents under the tenant's own quota, which is over the sum of them. */
import { defineLayer } from "../../../contract/define-layer.ts";
import type { Storage } from "../../../storage.ts";
import type { Driver } from "../driver/driver.ts";
import type { Usage } from "../sql/quota.ts";
import { type PostgresStorage, storageOver } from "../postgres-storage.ts";
import { quotaGate } from "./tenant-load.ts";
import { exceeded, exceeds, type Growth, usageOfTenant } from "./tenant-quota.ts";

interface Write {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Looks at the sum before each write, in a round trip of its own: exact for one writer, and overshot by what others write in that moment. */
export function tenantStorage(driver: Driver): PostgresStorage {
  const files = storageOver(driver);
  return {
    ...files,
    scope: (namespace) => underQuota(files.scope(namespace), () => usageOfTenant(driver, namespace.tenantId)),
    load: async (namespace, source, options = {}) => {
      const gate = await quotaGate({ storage: files.scope(namespace), usage: () => usageOfTenant(driver, namespace.tenantId), load: options });
      return files.load(namespace, gate(source), options);
    },
  };
}

function underQuota(storage: Storage, usage: () => Promise<Usage>): Storage {
  const { apply, close, record, search } = storage;

  async function check(writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    const used = await usage();
    if (!exceeds(used, { files: writes.length, bytes: writes.reduce((total, { sizeBytes }) => total + sizeBytes, 0) })) return;
    // At the limit what is written over counts: only now is each looked up.
    let growth: Growth = { files: 0, bytes: 0 };
    for (const { path, sizeBytes } of writes) {
      const there = await storage.stat(path);
      const before = there?.kind === "file" ? there.info.sizeBytes : undefined;
      growth = { files: growth.files + (before === undefined ? 1 : 0), bytes: growth.bytes + sizeBytes - (before ?? 0) };
    }
    if (exceeds(used, growth)) throw exceeded(used, writes[0]?.path ?? "");
  }

  return defineLayer({
    name: storage.name,
    list: (options) => storage.list(options),
    read: (path, options) => storage.read(path, options),
    write: async (path, bytes, options) => {
      await check([{ path, sizeBytes: bytes.length }]);
      return storage.write(path, bytes, options);
    },
    delete: (path, options) => storage.delete(path, options),
    stat: (path, options) => storage.stat(path, options),
    ls: (directory, options) => storage.ls(directory, options),
    lines: (path, query) => storage.lines(path, query),
    glob: (query) => storage.glob(query),
    grep: (query) => storage.grep(query),
    search: search && { syntax: search.syntax, paths: (query, options) => search.paths(query, options) },
    apply:
      apply &&
      (async (mutations, options) => {
        await check(mutations.flatMap((mutation) => (mutation.kind === "delete" ? [] : [{ path: mutation.path, sizeBytes: mutation.bytes.length }])));
        return apply(mutations, options);
      }),
    record: record && ((event, options) => record(event, options)),
    close: close && (() => close()),
  });
}
