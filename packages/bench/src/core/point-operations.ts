/** Operations on one file. */
import type { Seen } from "./bare.ts";
import { textOfBytes } from "./corpus.ts";
import { type Operation, counter, ownFiles, roundOf, seenOf, sizeOf, small, SMALL_BYTES, textFor, versionOf, walk } from "./operation.ts";

const PAGE = { offset: 10_000, limit: 100 } as const;
const OLD = "const alpha = 1;";
const NEW = "const gamma = 2;";
const BIG_BYTES = 1024 * 1024;
/** Files that updates and edits go round. */
const OWN_FILES = 16;
const editable = `${OLD}\n${textOfBytes(SMALL_BYTES - OLD.length - 1)}`;

export const points: readonly Operation[] = [
  {
    name: "stat",
    kind: "point",
    bare: (world) => {
      const next = walk(world);
      return async () => sizeOf(await world.bare.stat(next()));
    },
    library: (world, { fs }) => {
      const next = walk(world);
      return async () => (await fs.stat(next())).sizeBytes ?? -1;
    },
  },
  {
    name: "read",
    kind: "point",
    bare: (world) => {
      const next = walk(world);
      return async () => String((await world.bare.read(next()))["content"]).length;
    },
    library: (world, { storage }) => {
      const next = walk(world);
      return async () => (await storage.read(next().slice(1))).bytes.length;
    },
  },
  {
    name: "page",
    kind: "point",
    bare: async ({ bare }) => {
      await bare.create("/own-page/big.ts", textOfBytes(BIG_BYTES));
      return async () => ((await bare.lines("/own-page/big.ts", PAGE.offset, PAGE.limit))["lines"] as readonly string[]).length;
    },
    library:
      (_world, { fs }) =>
      async () =>
        (await fs.read("/own-page/big.ts", PAGE)).lines.length,
  },
  {
    name: "create",
    kind: "point",
    bare: ({ bare }) => {
      const next = counter();
      return async () => sizeOf(await bare.create(`/new/bare/${next()}.ts`, small));
    },
    library: (_world, { name, fs }) => {
      const next = counter();
      return async () => (await fs.write(`/new/${name}/${next()}.ts`, small, { ifVersion: "absent" })).sizeBytes ?? -1;
    },
  },
  {
    name: "update",
    kind: "point",
    bare: async ({ bare }) => {
      const seen = await ownFiles(bare, "own-update/bare", { count: OWN_FILES, text: small });
      const next = roundOf([...seen.keys()]);
      return async () => {
        const { item: path, turn } = next();
        const row = await bare.update(path, textFor(turn), seen.get(path) as Seen);
        seen.set(path, seenOf(row));
        return sizeOf(row);
      };
    },
    library: async ({ bare }, { name, fs }) => {
      const own = await ownFiles(bare, `own-update/${name}`, { count: OWN_FILES, text: small });
      const versions = new Map([...own].map(([path, seen]) => [path, versionOf(seen)]));
      const next = roundOf([...own.keys()]);
      return async () => {
        const { item: path, turn } = next();
        const { version = "", sizeBytes = -1 } = await fs.write(path, textFor(turn), { ifVersion: versions.get(path) ?? "" });
        versions.set(path, version);
        return sizeBytes;
      };
    },
  },
  {
    name: "edit",
    kind: "point",
    bare: async ({ bare }) => {
      const own = await ownFiles(bare, "own-edit/bare", { count: OWN_FILES, text: editable });
      const next = roundOf([...own.keys()]);
      return async () => {
        const { item: path, turn } = next();
        const row = await bare.read(path);
        const [from, to] = turn % 2 === 0 ? [OLD, NEW] : [NEW, OLD];
        return sizeOf(
          await bare.update(
            path,
            String(row["content"]).replace(from, () => to),
            seenOf(row),
          ),
        );
      };
    },
    library: async ({ bare }, { name, fs }) => {
      const own = await ownFiles(bare, `own-edit/${name}`, { count: OWN_FILES, text: editable });
      const next = roundOf([...own.keys()]);
      return async () => {
        const { item: path, turn } = next();
        const [from, to] = turn % 2 === 0 ? [OLD, NEW] : [NEW, OLD];
        return (await fs.edit(path, from, to)).sizeBytes;
      };
    },
  },
  {
    name: "delete",
    kind: "point",
    // What "create" made: both make as many calls.
    bare: ({ bare }) => {
      const next = counter();
      return async () => (await bare.delete(`/new/bare/${next()}.ts`), 1);
    },
    library: (_world, { name, fs }) => {
      const next = counter();
      return async () => (await fs.delete(`/new/${name}/${next()}.ts`), 1);
    },
  },
];
