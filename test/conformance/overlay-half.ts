/** An overlay that holds half of the tree: the files a case starts from stand in the base, above it, or are covered up. */
import { describe, it } from "vitest";
import { createOverlay, type Storage } from "hango";
import { differentialCase, storageConformance } from "hango/testing";
import { filled, modelRuns } from "./seeded.ts";

const text = new TextEncoder();

/** Of every four files one is in the base, one only held, one changed, one deleted and made again; and a few of the base are deleted. */
async function halfFilled(base: Storage, files: Readonly<Record<string, string>> = {}): Promise<Storage> {
  const paths = Object.keys(files);
  const inBase = paths.filter((_, index) => index % 4 !== 1);
  const others = ["zz-deleted/a", "zz-deleted/b/c", "zz-deleted.md"].filter((path) => !paths.includes(path));
  await filled(
    base,
    Object.fromEntries([
      ...inBase.map((path, index) => [path, index % 4 === 2 ? `old ${path}` : (files[path] as string)]),
      ...others.map((path) => [path, "foo a"]),
    ]),
  );
  const { storage } = createOverlay({ base });
  for (const path of others) await storage.delete(path);
  for (const [index, path] of paths.entries()) {
    if (index % 4 === 3) await storage.delete(path);
    if (index % 4 !== 0) await storage.write(path, text.encode(files[path]));
  }
  for (const path of inBase)
    if (new TextDecoder("utf-8", { ignoreBOM: true }).decode((await storage.read(path)).bytes) !== files[path])
      await storage.write(path, text.encode(files[path]));
  return storage;
}

export function halfHeld(name: string, open: () => Storage): void {
  storageConformance({ describe, it }, { name: `an overlay that holds half of ${name}`, lacks: ["record"], create: (files) => halfFilled(open(), files) });
  describe(`an overlay that holds half of ${name}, in random runs`, () => {
    for (let run = 1; run <= modelRuns; run++) {
      const seed = (Date.now() + run * 7919) >>> 0;
      it(`answers a generated tree as the derived forms do (HANGO_SEED=${seed})`, async () => {
        const { files, run: ask } = differentialCase(seed);
        await ask(await halfFilled(open(), files));
      });
    }
  });
}
