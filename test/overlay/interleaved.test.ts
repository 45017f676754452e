import { describe, expect, it } from "vitest";
import { createOverlay, isHangoError, memoryStorage, type Overlay, parseGlob, parsePattern, type Storage } from "hango";
import { freshSeed, type Random, seededRandom } from "../../packages/hango/src/testing/random.ts";
import { playground } from "../support/playground.ts";
import { get, kinds, plain, put } from "./trees.ts";

const seed = Number(process.env["HANGO_SEED"] ?? freshSeed());
/** Steps of each base; HANGO_OVERLAY_STEPS asks for more. */
const steps = Number(process.env["HANGO_OVERLAY_STEPS"] ?? 100);

const names = ["a", "a.txt", "b", "c", "d"];
const pathIn = (random: Random): string => Array.from({ length: 1 + random.below(3) }, () => random.pick(names)).join("/");

/** The code of a refusal, or what was answered. */
async function outcome<T>(run: () => Promise<T>): Promise<T | string> {
  try {
    return await run();
  } catch (error) {
    if (isHangoError(error)) return error.code;
    throw error;
  }
}

/** The same question to both, without what has to differ: versions and times. */
async function answers(storage: Storage, ask: { readonly path: string; readonly limit: number; readonly after: string }): Promise<unknown> {
  const { path, limit, after } = ask;
  const entry = await storage.stat(path);
  const rows = await storage.list({ prefix: path, after, limit });
  return {
    stat: entry?.kind,
    text: await outcome(() => get(storage, path)),
    all: (await storage.list({ after, limit })).map((info) => [info.path, info.sizeBytes]),
    below: rows.map((info) => info.path),
    ls: (await storage.ls(entry?.kind === "directory" ? path : "", { limit })).map((one) => (one.kind === "file" ? one.info.path : `${one.path}/`)),
    top: (await storage.ls("")).map((one) => (one.kind === "file" ? one.info.path : `${one.path}/`)),
    glob: await storage.glob({ pattern: parseGlob("*.txt"), root: "", limit }),
    grep: (await storage.grep({ pattern: parsePattern("1|2"), root: "", context: 0, limit })).map((hit) => [hit.path, hit.text]),
    search: await storage.search?.paths("3", { limit }),
  };
}

async function change(random: Random, both: readonly Storage[]): Promise<void> {
  const [path, text, other] = [pathIn(random), `${random.below(4)} ${random.below(4)}\n`, pathIn(random)];
  const kind = random.below(5);
  const found = await Promise.all(
    both.map((storage) =>
      outcome(async () => {
        if (kind < 2) await put(storage, path, text);
        else if (kind < 4) await storage.delete(path);
        else
          await storage.apply?.([
            { kind: "delete", path },
            ...(other === path ? [] : [{ kind: "create", path: other, bytes: new TextEncoder().encode(text) } as const]),
          ]);
        return "done";
      }),
    ),
  );
  expect(new Set(found).size, `${kind} ${path}: ${found.join(" and ")}`).toBe(1);
}

describe(`an overlay that is asked between its changes (HANGO_SEED=${seed})`, () => {
  it.each([
    ["a base with apply", (base: Storage): Overlay => createOverlay({ base })],
    ["a base of four methods", (base: Storage): Overlay => createOverlay({ base: plain(base) })],
    ["a directory", (): Overlay => createOverlay({ base: playground().storage })],
    ["another overlay", (base: Storage): Overlay => createOverlay({ base: createOverlay({ base }).storage })],
  ])("answers as one storage with the same files does, over %s", async (_, lay) => {
    const random = seededRandom(seed);
    const model = memoryStorage();
    const overlay = lay(memoryStorage());
    for (let step = 0; step < steps; step++) {
      await change(random, [overlay.storage, model]);
      const ask = { path: pathIn(random), limit: 1 + random.below(6), after: random.oneIn(2) ? "" : pathIn(random) };
      expect(await answers(overlay.storage, ask), `step ${step}`).toEqual(await answers(model, ask));
      if (!random.oneIn(25)) continue;
      await overlay.commit();
      expect(await kinds(overlay)).toEqual([]);
    }
  });
});
