/** An implementation for tests, as lazy as the contract lets one be. */
import { comparePaths } from "../path/path.ts";
import type { FileInfo, Storage, StorageImplementation } from "../storage.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { defineStorage } from "./define-storage.ts";

export interface Raw extends StorageImplementation {
  readonly held: Map<string, Uint8Array>;
  readonly asked: string[];
}

/** As lazy as an implementation may be: ignores prefix, filters, after and limit, keeps and returns its own buffers, throws what it likes. */
export function rawStorage(extra: Partial<StorageImplementation> = {}): Raw {
  const held = new Map<string, Uint8Array>();
  const asked: string[] = [];
  const row = (path: string): FileInfo => ({ path, sizeBytes: held.get(path)?.length ?? 0, contentType: "text/plain", version: `v-${held.get(path)?.length}` });
  return {
    held,
    asked,
    name: "raw",
    list: async () => [...held.keys()].sort(comparePaths).map(row),
    read: async (path) => {
      asked.push(path);
      const bytes = held.get(path);
      if (bytes === undefined) throw new Error("EIO /secret/host/path");
      return { info: row(path), bytes };
    },
    write: async (path, bytes) => {
      asked.push(path);
      held.set(path, bytes);
      return row(path);
    },
    delete: async (path) => {
      asked.push(path);
      held.delete(path);
    },
    ...extra,
  };
}

/** The same behind defineStorage, holding files. */
export async function filled(paths: readonly string[], extra: Partial<StorageImplementation> = {}): Promise<{ raw: Raw; storage: Storage }> {
  const raw = rawStorage(extra);
  const storage = defineStorage(raw);
  for (const path of paths) await storage.write(path, encodeUtf8(`in ${path}\n`));
  raw.asked.length = 0;
  return { raw, storage };
}
