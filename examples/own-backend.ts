import {
  alreadyExists,
  ancestorsOf,
  comparePaths,
  conflict,
  decodeText,
  defineStorage,
  notADirectory,
  notAFile,
  notFound,
  storedContentType,
  type FileInfo,
  type Storage,
} from "hango";

/** A backend of your own: four methods. Paths arrive parsed; filters, paging, edit, glob and grep are made for you. */
export function mapStorage(): Storage {
  const files = new Map<string, { readonly info: FileInfo; readonly bytes: Uint8Array }>();
  let writes = 0;
  const isDirectory = (path: string) => [...files.keys()].some((other) => other.startsWith(`${path}/`));
  const find = (path: string) => {
    const file = files.get(path);
    if (file === undefined) throw isDirectory(path) ? notAFile(path) : notFound(path);
    return file;
  };

  return defineStorage({
    name: "map",
    list: async () => [...files.values()].map(({ info }) => info).toSorted((a, b) => comparePaths(a.path, b.path)),
    read: async (path) => find(path),
    write: async (path, bytes, { contentType: given, ifVersion } = {}) => {
      const old = files.get(path)?.info;
      if (isDirectory(path)) throw notAFile(path);
      if (ifVersion === "absent" && old !== undefined) throw alreadyExists(path, old.version);
      if (ifVersion !== undefined && ifVersion !== "absent" && ifVersion !== old?.version) throw conflict(path, old?.version);
      const above = ancestorsOf(path).find((ancestor) => files.has(ancestor));
      if (above !== undefined) throw notADirectory(path, above);
      const contentType = storedContentType({ given, kept: old?.contentType, path, isText: decodeText(bytes) !== undefined });
      const info: FileInfo = { path, sizeBytes: bytes.length, contentType, version: `v${++writes}`, updatedAt: new Date() };
      files.set(path, { info, bytes });
      return info;
    },
    delete: async (path, { ifVersion } = {}) => {
      if (isDirectory(path)) throw notAFile(path);
      if (ifVersion !== undefined && ifVersion !== files.get(path)?.info.version) throw conflict(path, files.get(path)?.info.version);
      find(path);
      files.delete(path);
    },
  });
}
