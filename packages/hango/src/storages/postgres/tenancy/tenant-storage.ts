/** Files of a tenant's agents under the tenant's own quota, which is over the sum of them. */
import { HangoError, isHangoError, shownPath } from "../../../errors.ts";
import { defineLayer } from "../../../contract/define-layer.ts";
import type { Namespace, ScopedStorage, Storage } from "../../../storage.ts";
import type { Driver } from "../driver/driver.ts";
import type { Usage } from "../sql/quota.ts";
import { storageOver } from "../postgres-storage.ts";
import { tenantUsage } from "./tenants.ts";

interface Change {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Looks at the sum before each write, in a round trip of its own: exact for one writer, and overshot by what others write in that moment. */
export function tenantStorage(driver: Driver): ScopedStorage<Namespace> {
  const files = storageOver(driver);
  return { name: "postgres", scope: (namespace) => underQuota(files.scope(namespace), () => usageOf(driver, namespace.tenantId)) };
}

/** A tenant that is not registered has no quota; its writes are refused by the foreign keys. */
async function usageOf(driver: Driver, tenantId: string): Promise<Usage> {
  try {
    return await tenantUsage(driver, tenantId);
  } catch (error) {
    if (isHangoError(error, "not_found")) return { files: 0, bytes: 0 };
    throw error;
  }
}

function underQuota(storage: Storage, usage: () => Promise<Usage>): Storage {
  const { apply, close, record, search } = storage;

  async function check(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    const used = await usage();
    if (!exceeds(used, changes.length, sum(changes))) return;
    // At the limit what is written over counts: only now is each looked up.
    let [files, bytes] = [0, 0];
    for (const { path, sizeBytes } of changes) {
      const there = await storage.stat(path);
      files += there?.kind === "file" ? 0 : 1;
      bytes += sizeBytes - (there?.kind === "file" ? there.info.sizeBytes : 0);
    }
    if (exceeds(used, files, bytes)) throw exceeded(used, changes[0]?.path ?? "");
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

const sum = (changes: readonly Change[]): number => changes.reduce((total, { sizeBytes }) => total + sizeBytes, 0);

/** What grows nothing is never refused. */
function exceeds({ files, bytes, maxFiles, maxBytes }: Usage, moreFiles: number, moreBytes: number): boolean {
  const over = (used: number, more: number, most: number | undefined): boolean => most !== undefined && more > 0 && used + more > most;
  return over(files, moreFiles, maxFiles) || over(bytes, moreBytes, maxBytes);
}

function exceeded(used: Usage, path: string): HangoError {
  const part = (count: number, most: number | undefined, unit: string): readonly string[] => (most === undefined ? [] : [`${count} of ${most} ${unit} in use`]);
  const limits = [...part(used.files, used.maxFiles, "files"), ...part(used.bytes, used.maxBytes, "bytes")].join(", ");
  return new HangoError(
    "quota_exceeded",
    `${shownPath(path)} was not written: it would exceed the quota of the whole tenant (${limits}). Delete files that are no longer needed, then retry.`,
    { path: shownPath(path), op: "write", details: { ...used } },
  );
}
