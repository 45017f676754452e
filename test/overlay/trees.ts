/** Small trees for the tests of overlays, and bases of different kinds. */
import { defineStorage, HangoError, memoryStorage, type Overlay, type Storage } from "hango";

export const put = (storage: Storage, path: string, text: string): Promise<unknown> => storage.write(path, new TextEncoder().encode(text));
export const get = async (storage: Storage, path: string): Promise<string> => new TextDecoder().decode((await storage.read(path)).bytes);
export const pathsIn = async (storage: Storage): Promise<readonly string[]> => (await storage.list()).map(({ path }) => path);
export const kinds = async ({ changes }: Overlay): Promise<readonly string[]> => (await changes()).map(({ kind, path }) => `${kind} ${path}`);

export async function tree(files: Readonly<Record<string, string>>, base: Storage = memoryStorage()): Promise<Storage> {
  for (const [path, text] of Object.entries(files)) await put(base, path, text);
  return base;
}

/** Four methods and no more: what commits in steps. Notes each change. */
export function plain(inner: Storage, note: (step: string) => void = () => undefined): Storage {
  return defineStorage({
    name: "plain",
    list: (options) => inner.list(options),
    read: (path, options) => inner.read(path, options),
    write: async (path, bytes, options) => {
      note(`write ${path}`);
      return inner.write(path, bytes, options);
    },
    delete: async (path, options) => {
      note(`delete ${path}`);
      return inner.delete(path, options);
    },
  });
}

export function locked(inner: Storage): Storage {
  const refuse = async (): Promise<never> => {
    throw new HangoError("read_only", "This storage is read-only.");
  };
  return defineStorage({
    name: "locked",
    list: (options) => inner.list(options),
    read: (path, options) => inner.read(path, options),
    write: refuse,
    delete: refuse,
  });
}
