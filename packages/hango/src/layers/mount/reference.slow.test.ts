/** A mount against one memory storage that holds what the mount must show: whatever is asked, both give one answer. */
import { describe, expect, it } from "vitest";
import { isBelow } from "../../path/path.ts";
import type { ListOptions, Storage } from "../../storage.ts";
import { memoryStorage } from "../../storages/memory.ts";
import { bytesOf } from "../../testing/case.ts";
import { answer, randomFilter, randomQuestion, randomTree, type Question } from "../../testing/differential.ts";
import { seededRandom, type Random } from "../../testing/random.ts";
import { withoutAccelerators } from "../../testing/without-accelerators.ts";
import { mountStorage } from "../mount.ts";
import { subtreeStorage } from "../subtree.ts";

const RUNS = 60;
const QUERIES = 40;
const PREFIXES = ["", "a", "a/b", "a/b/a", "ab", "b", "B/a", "é", "\uff61", "\u{1F600}/a", "a-"] as const;

interface World {
  readonly what: string;
  readonly mounted: Storage;
  readonly reference: Storage;
  readonly tree: ReadonlyMap<string, string>;
}

/** Storages with files of their own, also where they are covered; the reference gets what the rules leave. */
async function makeWorld(random: Random, seed: number): Promise<World> {
  const prefixes = [...new Set(Array.from({ length: 1 + random.below(4) }, () => random.pick(PREFIXES)))];
  const reference = memoryStorage();
  const tree = new Map<string, string>();
  const mounts: { readonly prefix: string; readonly storage: Storage }[] = [];
  for (const prefix of prefixes) {
    const storage = memoryStorage();
    for (const [path, text] of randomTree(random, 14)) {
      await storage.write(path, bytesOf(text));
      const full = prefix === "" ? path : `${prefix}/${path}`;
      const owner = prefixes.filter((one) => one === full || isBelow(full, one)).toSorted((x, y) => y.length - x.length)[0];
      if (owner !== prefix || prefixes.some((one) => one === full || isBelow(one, full))) continue;
      await reference.write(full, bytesOf(text));
      tree.set(full, text);
    }
    mounts.push({ prefix, storage: random.oneIn(3) ? withoutAccelerators(storage) : storage });
  }
  return { what: `seed ${seed}, mounts ${JSON.stringify(prefixes)}`, mounted: mountStorage({ mounts }), reference, tree };
}

/** list and search, which the differential questions leave out. */
function randomListing(random: Random, tree: ReadonlyMap<string, string>): Question {
  const paths = [...tree.keys()];
  const some = (): string =>
    random
      .pick(paths)
      .split("/")
      .slice(0, 1 + random.below(3))
      .join("/");
  const options: ListOptions = {
    ...(random.oneIn(2) ? { prefix: some() } : {}),
    ...(random.oneIn(2) ? { after: some() + (random.oneIn(3) ? "/" : "") } : {}),
    ...(random.oneIn(2) ? { limit: random.below(6) } : {}),
    ...(random.oneIn(2) ? { filters: [randomFilter(random, paths), randomFilter(random, paths)] } : {}),
  };
  if (random.oneIn(2)) return { what: `list ${JSON.stringify(options)}`, ask: (storage) => storage.list(options) };
  return { what: `search ${JSON.stringify(options)}`, ask: async (storage) => storage.search?.paths("foo", options) };
}

/** Versions and dates belong to each storage. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part: unknown) => (["version", "createdAt", "updatedAt"].includes(key) ? undefined : part)) ?? "null");
}

async function ask(world: World, random: Random): Promise<void> {
  for (let index = 0; index < QUERIES; index++) {
    const question = random.oneIn(3) ? randomListing(random, world.tree) : randomQuestion(random, world.tree);
    expect(comparable(await answer(world.mounted, question)), `${world.what}: ${question.what}`).toEqual(comparable(await answer(world.reference, question)));
  }
}

describe("a mount", () => {
  it("answers every reading call as one storage with the files it shows does", async () => {
    const first = (Date.now() % 1_000_000) + 1;
    for (let seed = first; seed < first + RUNS; seed++) {
      const random = seededRandom(seed);
      const world = await makeWorld(random, seed);
      if (world.tree.size > 0) await ask(world, random);
    }
  });
});

describe("a subtree", () => {
  it("answers every reading call as a storage with only its files does", async () => {
    const first = (Date.now() % 1_000_000) + 1;
    for (let seed = first; seed < first + RUNS; seed++) {
      const random = seededRandom(seed);
      const { mounted, reference, tree, what } = await makeWorld(random, seed);
      const directory = [...tree.keys()].flatMap((path) => (path.includes("/") ? [path.slice(0, path.lastIndexOf("/"))] : []))[0];
      if (directory === undefined) continue;
      const inside = new Map([...tree].flatMap(([path, text]) => (isBelow(path, directory) ? [[path.slice(directory.length + 1), text] as const] : [])));
      const alone = memoryStorage();
      for (const [path, text] of inside) await alone.write(path, bytesOf(text));
      for (const storage of [mounted, reference])
        await ask({ what: `${what} below ${directory}`, mounted: subtreeStorage(storage, directory), reference: alone, tree: inside }, random);
    }
  });
});
