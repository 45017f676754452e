/** A storage that takes all spellings of a path for one file, as the disks of macOS and Windows do, and lists the spelling that was written first. */
import { alreadyExists, comparePaths, conflict, defineStorage, type FileInfo, isShown, notFound, type Storage, storedContentType } from "hango";

interface Row {
  readonly info: FileInfo;
  readonly bytes: Uint8Array;
}

export function foldingStorage(): Storage {
  const rows = new Map<string, Row>();
  let writes = 0;
  const at = (path: string): Row | undefined => rows.get(path.toLowerCase());
  return defineStorage({
    name: "folding",
    list: async () => [...rows.values()].map(({ info }) => info).sort((a, b) => comparePaths(a.path, b.path)),
    stat: async (path, { filters } = {}) => {
      const row = at(path);
      if (row !== undefined) return { kind: "file", info: { ...row.info, path } };
      const isDirectory = [...rows].some(([key, { info }]) => key.startsWith(`${path.toLowerCase()}/`) && isShown(info.path, filters));
      return isDirectory ? { kind: "directory", path } : undefined;
    },
    read: async (path) => {
      const row = at(path);
      if (row === undefined) throw notFound(path);
      return { info: { ...row.info, path }, bytes: row.bytes };
    },
    write: async (path, bytes, { ifVersion, contentType } = {}) => {
      const old = at(path);
      if (ifVersion === "absent" && old !== undefined) throw alreadyExists(path, old.info.version);
      if (ifVersion !== undefined && ifVersion !== "absent" && ifVersion !== old?.info.version) throw conflict(path, old?.info.version);
      writes += 1;
      const type = storedContentType({ given: contentType, kept: old?.info.contentType, path, isText: true });
      const info: FileInfo = { path: old?.info.path ?? path, sizeBytes: bytes.length, contentType: type, version: `v${writes}` };
      rows.set(path.toLowerCase(), { info, bytes });
      return { ...info, path };
    },
    delete: async (path, { ifVersion } = {}) => {
      const old = at(path);
      if (ifVersion !== undefined && ifVersion !== old?.info.version) throw conflict(path, old?.info.version);
      if (old === undefined) throw notFound(path);
      rows.delete(path.toLowerCase());
    },
  });
}
