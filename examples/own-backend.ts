import { HangoError, type Storage, defineStorage } from "hango";

/** A backend of your own: four methods. Paths arrive parsed; filters, order, edit, glob and grep are made for you. */
export function mapStorage(): Storage {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly version: number }>();
  let changes = 0;
  const info = (path: string, file: { readonly bytes: Uint8Array; readonly version: number }) => ({ path, sizeBytes: file.bytes.length, contentType: "text/plain", version: `v${file.version}` });
  const find = (path: string) => {
    const file = files.get(path);
    if (file === undefined) throw new HangoError("not_found", `/${path} does not exist.`, { path: `/${path}` });
    return file;
  };
  const check = (path: string, wanted: string | undefined) => {
    const held = files.get(path);
    if (wanted === "absent" && held !== undefined) throw new HangoError("already_exists", `/${path} exists.`, { path: `/${path}` });
    if (wanted !== undefined && wanted !== "absent" && wanted !== `v${held?.version}`) throw new HangoError("conflict", `/${path} changed since you read it.`, { path: `/${path}` });
  };
  return defineStorage({
    name: "map",
    list: async () => [...files].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map(([path, file]) => info(path, file)),
    read: async (path) => ({ info: info(path, find(path)), bytes: find(path).bytes }),
    write: async (path, bytes, options) => {
      check(path, options?.ifVersion);
      for (const other of files.keys()) {
        if (path.startsWith(`${other}/`)) throw new HangoError("not_a_directory", `/${other} is a file.`, { path: `/${path}` });
        if (other.startsWith(`${path}/`)) throw new HangoError("not_a_file", `/${path} is a directory.`, { path: `/${path}` });
      }
      const file = { bytes, version: ++changes };
      files.set(path, file);
      return info(path, file);
    },
    delete: async (path, options) => {
      find(path);
      check(path, options?.ifVersion);
      files.delete(path);
    },
  });
}
