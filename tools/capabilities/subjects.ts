/** Each storage and layer of the README's table: how one is made, and what no trial can tell. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as hango from "../../packages/hango/src/index.ts";
import * as osfs from "../../packages/hango/src/storages/osfs/index.ts";
import * as postgres from "../../packages/hango/src/storages/postgres/index.ts";
import { ALL_TRAITS, type Base, freshBase, SEED_DIRECTORY } from "./bases.ts";
import { databaseFacts } from "./database.ts";
import { SEED_FILE, SEED_TEXT, type Specimen } from "./look.ts";

export interface Specimens {
  readonly specimens: readonly Specimen[];
  /** What was seen of this one alone, in words. */
  readonly facts?: () => Promise<readonly string[]>;
  readonly close?: () => Promise<void>;
}

export interface Subject {
  /** What a user imports. */
  readonly factory: (...args: never[]) => unknown;
  /** How it is written in the table, where that is not its name and these arguments. */
  readonly args?: string;
  readonly label?: string;
  readonly make: () => Promise<Specimens>;
  /** How "as what is below" reads in its row; "as the storage" unless said. */
  readonly asBelow?: string;
  readonly remark?: string;
  readonly link: readonly [text: string, target: string] | undefined;
}

/** Every entry that a row can be imported from. */
export const ENTRIES: ReadonlyMap<string, object> = new Map<string, object>([
  ["hango", hango],
  ["hango/postgres", postgres],
  ["hango/osfs", osfs],
]);

const GUIDE = "docs/guides/mounts-and-corpora.md";

/** One specimen over each base. */
async function overEach(over: (base: Base) => Specimen): Promise<Specimens> {
  const bases = await Promise.all(ALL_TRAITS.map(freshBase));
  return { specimens: bases.map((base) => ({ ...beside(base, [base]), ...over(base) })) };
}

/** What a trial looks at beside the layer: the base that owns its files, and what all of them have. */
function beside(owner: Base, all: readonly Base[]): Omit<Specimen, "storage"> {
  return { other: owner.storage, events: owner.events, below: { all: all.map(({ traits }) => traits), owner: owner.traits } };
}

const memory: Subject = {
  factory: hango.memoryStorage,
  args: "()",
  make: async () => {
    const storage = hango.memoryStorage();
    await storage.write(SEED_FILE, new TextEncoder().encode(SEED_TEXT));
    return { specimens: [{ storage, other: hango.memoryStorage() }] };
  },
  link: undefined,
};

export const DATABASE: Subject = {
  factory: postgres.postgresStorage,
  args: "(db).scope({ tenantId, agentId })",
  make: async () => {
    const database = await postgres.openDatabase("pglite:");
    const root = postgres.postgresStorage(database);
    const namespace = { tenantId: hango.uuidFor("tenant"), agentId: hango.uuidFor("agent") };
    const [storage, other] = [root.scope(namespace), root.scope(namespace)];
    await storage.write(SEED_FILE, new TextEncoder().encode(SEED_TEXT));
    const events = async (): Promise<number> => (await root.events(namespace)).length;
    return { specimens: [{ storage, other, events }], facts: () => databaseFacts(database), close: () => database.close() };
  },
  link: ["benchmarks", "docs/benchmarks.md"],
};

const directory: Subject = {
  factory: osfs.osStorage,
  args: "({ directory })",
  make: async () => {
    const place = mkdtempSync(join(tmpdir(), "hango-capabilities-"));
    // Nobody else knows the directory, so no system's own rules on links matter.
    const [storage, other] = [place, place].map((path) => osfs.osStorage({ directory: path, acceptLinkRaces: true })) as [hango.Storage, hango.Storage];
    await storage.write(SEED_FILE, new TextEncoder().encode(SEED_TEXT));
    const close = async (): Promise<void> => {
      await Promise.all([storage.close?.(), other.close?.()]);
      rmSync(place, { recursive: true, force: true });
    };
    return { specimens: [{ storage, other }], close };
  },
  remark: "nothing outside the directory is reached, also through links",
  link: ["real directories", "docs/guides/real-directories.md"],
};

const embedded: Subject = {
  factory: hango.embeddedStorage,
  args: "(files)",
  make: async () => ({ specimens: [{ storage: hango.embeddedStorage({ [SEED_FILE]: SEED_TEXT }) }] }),
  remark: "a corpus that ships with the program",
  link: ["corpora", GUIDE],
};

const overlay: Subject = {
  factory: hango.createOverlay,
  args: "({ base })",
  make: () =>
    overEach((base) => {
      const { storage, commit } = hango.createOverlay({ base: base.storage });
      return { storage, carryOver: () => commit() };
    }),
  remark: "`unifiedDiff(changes)` is for a person and for `git apply`",
  link: ["example", "examples/overlay-review.ts"],
};

/** Each base alone, and every two of them, tried below each mount. */
async function mounts(): Promise<Specimens> {
  const sets = ALL_TRAITS.flatMap((left) => [[left], ...ALL_TRAITS.map((right) => [left, right])]);
  const specimens = sets.map(async (traits) => {
    const bases = await Promise.all(traits.map(freshBase));
    const prefixes = bases.map((_, index) => `mount-${index}`);
    const storage = hango.mountStorage({ mounts: bases.map((base, index) => ({ prefix: prefixes[index] ?? "", storage: base.storage })) });
    return bases.map((base, index) => ({ storage, at: `${prefixes[index]}/`, ...beside(base, bases) }));
  });
  return { specimens: (await Promise.all(specimens)).flat() };
}

const mount: Subject = {
  factory: hango.mountStorage,
  args: "({ mounts })",
  make: mounts,
  asBelow: "as each mount",
  remark: "several storages in one tree; the longest prefix owns a path",
  link: ["mounts", GUIDE],
};

const subtree: Subject = {
  factory: hango.subtreeStorage,
  args: '(storage, "docs")',
  make: () => overEach((base) => ({ storage: hango.subtreeStorage(base.storage, SEED_DIRECTORY.slice(0, -1)), otherAt: SEED_DIRECTORY })),
  link: ["subtrees", `${GUIDE}#a-part-and-a-view-that-cant-be-changed`],
};

const readOnly: Subject = {
  factory: hango.readOnlyStorage,
  args: "(storage)",
  make: () => overEach((base) => ({ storage: hango.readOnlyStorage(base.storage) })),
  link: ["views", `${GUIDE}#a-part-and-a-view-that-cant-be-changed`],
};

const own: Subject = {
  factory: hango.defineStorage,
  label: "your own: four methods in `defineStorage`",
  make: () => overEach((base) => ({ storage: hango.defineStorage(base.implementation) })),
  asBelow: "if yours does",
  link: ["example", "examples/own-backend.ts"],
};

/** In the order of the table. */
export const SUBJECTS: readonly Subject[] = [memory, DATABASE, directory, embedded, overlay, mount, subtree, readOnly, own];
