/** Every layer that changes nothing of what a storage means, over one storage: whatever the storage passes, the layer passes. */
import { describe, it } from "vitest";
import { defineStorage, memoryStorage, mountStorage, readOnlyStorage, subtreeStorage, type Storage } from "hango";
import { layerConformance, type Need, storageConformance } from "hango/testing";
import { filled } from "./seeded.ts";

type Wrap = (inner: Storage) => Storage;

/** Beside the storage that is looked at: nothing but the four methods, so that a feature of the mount is that of the other. */
function neighbour(): Storage {
  const { list, read, write, delete: remove } = memoryStorage();
  return defineStorage({ name: "neighbour", list, read, write, delete: remove });
}

/** Mounted at the root, with another storage in a place that no case looks at. */
const mountedAtRoot: Wrap = (inner) =>
  mountStorage({
    mounts: [
      { prefix: "", storage: inner },
      { prefix: "elsewhere/deep", storage: neighbour() },
    ],
  });

/** Mounted below a prefix between two others, and seen from there: every path, filter and cursor is turned twice. */
const mountedBelow: Wrap = (inner) =>
  subtreeStorage(
    mountStorage({
      mounts: [
        { prefix: "", storage: neighbour() },
        { prefix: "m", storage: inner },
        { prefix: "m/elsewhere/deep", storage: neighbour() },
        { prefix: "m-", storage: neighbour() },
      ],
    }),
    "m",
  );

const below: Wrap = (inner) => subtreeStorage(inner, "p");
const onlyMount: Wrap = (inner) => mountStorage({ mounts: [{ prefix: "", storage: inner }] });

const layers: readonly (readonly [name: string, wrap: Wrap, lacks: readonly Need[]])[] = [
  ["a mount of one", onlyMount, []],
  ["a mount at the root", mountedAtRoot, ["apply"]],
  ["a mount below a prefix", mountedBelow, ["apply", "longest paths"]],
  ["the whole as a subtree", (inner) => subtreeStorage(inner, ""), []],
  ["a subtree", below, ["longest paths"]],
];

export interface LayeredSubject {
  readonly name: string;
  /** A fresh, empty storage. */
  readonly open: () => Storage;
  readonly lacks: readonly Need[];
}

export function bindLayers({ name, open, lacks }: LayeredSubject): void {
  const runner = { describe, it };
  for (const [layer, wrap, without] of layers)
    storageConformance(runner, {
      name: `${layer} over ${name}`,
      lacks: [...lacks, ...without],
      create: (files) => filled(wrap(open()), files),
    });
  storageConformance(runner, {
    name: `read-only over ${name}`,
    lacks: [...lacks, "writing", "content types", "apply"],
    create: async (files) => readOnlyStorage(await filled(open(), files)),
  });
}

/** What each layer owes the storage below it, which is the same over all. */
export function bindLayerRules(): void {
  const runner = { describe, it };
  layerConformance(runner, { name: "a mount at the root", wrap: mountedAtRoot });
  layerConformance(runner, { name: "a mount of one", wrap: onlyMount });
  layerConformance(runner, {
    name: "a subtree of a mount",
    wrap: (inner) => subtreeStorage(mountStorage({ mounts: [{ prefix: "m/n", storage: inner }] }), "m/n"),
  });
  layerConformance(runner, { name: "read-only", wrap: readOnlyStorage, refuses: ["write", "delete"] });
}
