/** Files of a tenant's agents under the tenant's own quota, which is over the sum of them. */
import { callOf } from "../../../contract/call-of.ts";
import { defineLayer } from "../../../contract/define-layer.ts";
import type { CallOptions, Mutation, Storage, Version } from "../../../storage.ts";
import type { Driver } from "../driver/driver.ts";
import type { Usage } from "../sql/quota.ts";
import { type PostgresStorage, storageOver } from "../postgres-storage.ts";
import { quotaGate } from "./tenant-load.ts";
import { exceeded, exceeds, type Growth, usageOfTenant } from "./tenant-quota.ts";

interface Change {
  readonly path: string;
  /** Absent for a file that goes. */
  readonly sizeBytes?: number;
  readonly ifVersion?: Version | "absent" | undefined;
  /** True for a modify or delete of an apply. */
  readonly mustExist?: boolean;
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

  async function check(changes: readonly Change[], call: CallOptions = {}): Promise<void> {
    const writes = changes.filter(({ sizeBytes }) => sizeBytes !== undefined);
    if (writes.length === 0) return;
    const used = await usage();
    if (!exceeds(used, { files: writes.length, bytes: writes.reduce((total, { sizeBytes = 0 }) => total + sizeBytes, 0) })) return;
    // At the limit what is written over or deleted counts: only now is each looked up, and of the deleted ones no more than make room.
    let growth: Growth = { files: 0, bytes: 0 };
    for (const change of [...writes, ...changes.filter(({ sizeBytes }) => sizeBytes === undefined)]) {
      const { path, sizeBytes } = change;
      if (sizeBytes === undefined && !exceeds(used, growth)) return;
      const there = await storage.stat(path, callOf(call));
      const file = there?.kind === "file" ? there.info : undefined;
      // The storage refuses all of the call, and says what is there now.
      if (isStale(change, file?.version)) return;
      const before = file?.sizeBytes;
      growth = {
        files: growth.files + (sizeBytes === undefined ? 0 : 1) - (before === undefined ? 0 : 1),
        bytes: growth.bytes + (sizeBytes ?? 0) - (before ?? 0),
      };
    }
    if (exceeds(used, growth)) throw exceeded(used, writes[0]?.path ?? "");
  }

  return defineLayer({
    name: storage.name,
    list: (options) => storage.list(options),
    read: (path, options) => storage.read(path, options),
    write: async (path, bytes, options) => {
      await check([{ path, sizeBytes: bytes.length, ifVersion: options?.ifVersion }], options);
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
        await check(mutations.map(changeOf), options);
        return apply(mutations, options);
      }),
    record: record && ((event, options) => record(event, options)),
    close: close && (() => close()),
  });
}

function changeOf(mutation: Mutation): Change {
  const { kind, path } = mutation;
  if (kind === "delete") return { path, ifVersion: mutation.ifVersion, mustExist: true };
  const sizeBytes = mutation.bytes.length;
  return kind === "create" ? { path, sizeBytes, ifVersion: "absent" } : { path, sizeBytes, ifVersion: mutation.ifVersion, mustExist: true };
}

function isStale({ ifVersion, mustExist = false }: Change, current: Version | undefined): boolean {
  if (ifVersion === "absent") return current !== undefined;
  return ifVersion === undefined ? mustExist && current === undefined : ifVersion !== current;
}
