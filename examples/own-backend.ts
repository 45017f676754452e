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
  HangoError,
  type FileInfo,
  type Namespace,
  type ScopedStorage,
  type Storage,
} from "hango";

/** A backend of your own: four methods, and search because it can. Paths arrive parsed; filters, paging, edit, glob and grep are made for you. */
export function mapStorage(): Storage {
  const files = new Map<string, { readonly info: FileInfo; readonly bytes: Uint8Array }>();
  const isDirectory = (path: string) => [...files.keys()].some((other) => other.startsWith(`${path}/`));
  const find = (path: string) => {
    const file = files.get(path);
    if (file === undefined) throw isDirectory(path) ? notAFile(path) : notFound(path);
    return file;
  };
  const sorted = () => [...files.values()].toSorted((a, b) => comparePaths(a.info.path, b.info.path));

  return defineStorage({
    name: "map",
    list: async () => sorted().map(({ info }) => info),
    read: async (path) => find(path),
    write: async (path, bytes, { contentType: given, ifVersion } = {}) => {
      const old = files.get(path)?.info;
      if (isDirectory(path)) throw notAFile(path);
      if (ifVersion === "absent" && old !== undefined) throw alreadyExists(path, old.version);
      if (ifVersion !== undefined && ifVersion !== "absent" && ifVersion !== old?.version) throw conflict(path, old?.version);
      const above = ancestorsOf(path).find((ancestor) => files.has(ancestor));
      if (above !== undefined) throw notADirectory(path, above);
      const contentType = storedContentType({ given, kept: old?.contentType, path, isText: decodeText(bytes) !== undefined });
      const info: FileInfo = { path, sizeBytes: bytes.length, contentType, version: crypto.randomUUID(), updatedAt: new Date() };
      files.set(path, { info, bytes });
      return info;
    },
    delete: async (path, { ifVersion } = {}) => {
      if (isDirectory(path)) throw notAFile(path);
      if (ifVersion !== undefined && ifVersion !== files.get(path)?.info.version) throw conflict(path, files.get(path)?.info.version);
      find(path);
      files.delete(path);
    },
    search: {
      syntax: "One word or phrase, exactly as written.",
      paths: async (query) => sorted().flatMap(({ info, bytes }) => (decodeText(bytes)?.includes(query) === true ? [info.path] : [])),
    },
  });
}

/** Many customers in one backend: there is no way to read or write before a customer is bound. */
export function mapStorages(): ScopedStorage<Namespace> {
  const trees = new Map<string, Storage>();
  return {
    name: "maps",
    scope: ({ tenantId, agentId }) => {
      for (const id of [tenantId, agentId])
        if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
          throw new HangoError("invalid_argument", `${JSON.stringify(id)} is not a UUID; uuidFor(${JSON.stringify(id)}) makes a stable one of it.`);
      const key = `${tenantId}/${agentId}`.toLowerCase();
      const tree = trees.get(key) ?? mapStorage();
      trees.set(key, tree);
      return tree;
    },
  };
}

/** What `hango conformance ./own-backend.ts` and storageConformance ask for: a fresh storage that holds these files. */
export async function create(files: Readonly<Record<string, string>> = {}): Promise<Storage> {
  const storage = mapStorage();
  for (const [path, text] of Object.entries(files)) await storage.write(path, new TextEncoder().encode(text));
  return storage;
}
