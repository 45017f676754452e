/** A storage used as hard as it goes while another process swaps links under it; whatever crosses the root is told. */
import { fork } from "node:child_process";
import { mkdirSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isHangoError } from "../../packages/hango/src/errors.ts";
import { osStorage } from "../../packages/hango/src/storages/osfs/index.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { parseGlob } from "../../packages/hango/src/text/glob.ts";
import { parsePattern } from "../../packages/hango/src/text/pattern/pattern.ts";
import { CANARY, DIRECTORIES, FILES, INNER, makeScene, snapshot, type Scene } from "./scene.ts";

export interface AttackReport {
  readonly operations: number;
  /** "read ok", "read not_found", …, and how often. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly swaps: number;
  /** What came across the root, or changed behind it. */
  readonly escapes: readonly string[];
  /** Drafts of writes that were left in the directory. */
  readonly drafts: number;
  /** Descriptors left open. */
  readonly descriptors: number;
}

/** Many, because a read of what changed in the last tick waits for the next. */
const LANES = 64;
const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const somewhere = (): string =>
  Math.random() < 0.1 ? pick(FILES) : `${pick(DIRECTORIES)}/${pick(INNER)}/${Math.random() < 0.15 ? pick(["new.txt", "hard.txt", "made/x.txt"]) : pick(FILES)}`;
const bytes = (): Uint8Array => new TextEncoder().encode("inside, by the storage\n".repeat(Math.random() < 0.02 ? 8_000 : 1));

type Step = (storage: Storage) => Promise<string>;

const steps: Readonly<Record<string, Step>> = {
  read: async (storage) => Buffer.from((await storage.read(somewhere())).bytes).toString("latin1"),
  // Of one file: it waits for nothing, so that it comes as often as it can.
  grepFile: async (storage) => JSON.stringify(await storage.grep({ pattern: parsePattern("."), root: somewhere(), context: 0, limit: 100 })),
  list: async (storage) => JSON.stringify((await storage.list()).filter(({ sizeBytes }) => sizeBytes === CANARY.length + 1).map(() => CANARY)),
  stat: async (storage) => {
    const entry = await storage.stat(somewhere());
    return entry?.kind === "file" && entry.info.sizeBytes === CANARY.length + 1 ? CANARY : "";
  },
  ls: async (storage) => JSON.stringify(await storage.ls(pick(DIRECTORIES))),
  grep: async (storage) => JSON.stringify(await storage.grep({ pattern: parsePattern("."), root: pick(["", ...DIRECTORIES]), context: 0, limit: 100 })),
  glob: async (storage) => JSON.stringify(await storage.glob({ pattern: parseGlob("**"), root: "", limit: 100 })),
  write: async (storage) => (await storage.write(somewhere(), bytes())).path,
  create: async (storage) => (await storage.write(somewhere(), bytes(), { ifVersion: "absent" })).path,
  delete: async (storage) => {
    await storage.delete(somewhere());
    return "";
  },
};
/** Reads and writes more often than what walks the whole tree. */
const mix: readonly string[] = Object.entries({ grepFile: 24, read: 12, write: 6, create: 2, delete: 2, stat: 6, ls: 1, list: 1, grep: 1, glob: 1 }).flatMap(
  ([name, times]) => Array.from({ length: times }, () => name),
);

export async function runAttack(seconds: number): Promise<AttackReport> {
  return withScene(async (scene) => {
    const outcomes = new Map<string, number>();
    const escapes: string[] = [];
    const storage = osStorage({ directory: scene.root });
    const { swaps } = await underAttack(scene, seconds, async () => {
      const name = pick(mix);
      const ended = await outcomeOf(async () => {
        const shown = await (steps[name] as Step)(storage);
        if (shown.includes(CANARY)) escapes.push(`${name} showed what stands outside`);
      });
      const key = `${name} ${ended}`;
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    });
    await storage.close?.();
    const drafts = snapshot(scene.root).filter((row) => row.includes("/.hango-")).length;
    return {
      operations: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
      outcomes,
      swaps,
      escapes: [...escapes, ...changesOutside(scene)],
      drafts,
      descriptors: openDescriptors(scene),
    };
  });
}

/** True as soon as a plain read by path comes out of the directory under the same attack: what the harness has to be able to see. */
export async function doPlainReadsEscape(seconds: number): Promise<boolean> {
  let escaped = false;
  await withScene((scene) =>
    underAttack(
      scene,
      seconds,
      async () => {
        const text = await readFile(join(scene.root, somewhere()), "latin1").catch(() => "");
        if (text.includes(CANARY)) escaped = true;
      },
      () => escaped,
    ),
  );
  return escaped;
}

async function withScene<T>(run: (scene: Scene) => Promise<T>): Promise<T> {
  const scene = makeScene();
  mkdirSync(join(scene.top, "hold"));
  try {
    return await run(scene);
  } finally {
    rmSync(scene.top, { recursive: true, force: true });
  }
}

async function underAttack(
  scene: Scene,
  seconds: number,
  operate: () => Promise<void>,
  enough: () => boolean = () => false,
): Promise<{ readonly swaps: number }> {
  const attacker = fork(fileURLToPath(new URL("attacker.ts", import.meta.url)), [scene.root, scene.outside, join(scene.top, "hold")]);
  const told = new Promise<{ swaps: number }>((resolve, reject) => {
    attacker.once("message", (message) => resolve(message as { swaps: number }));
    attacker.once("exit", (code) => reject(new Error(`the attacker ended early (${code})`)));
  });
  // Its end before ours is an error; one after its report changes nothing.
  told.catch(() => undefined);
  try {
    const end = Date.now() + seconds * 1_000;
    const lane = async (): Promise<void> => {
      while (Date.now() < end && !enough()) await operate();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const gone = new Promise((resolve) => attacker.once("exit", resolve));
    attacker.send("stop");
    const report = await told;
    await gone;
    return report;
  } finally {
    attacker.kill();
  }
}

async function outcomeOf(run: () => Promise<void>): Promise<string> {
  try {
    await run();
    return "ok";
  } catch (error) {
    if (!isHangoError(error)) throw error;
    if (error.code === "internal")
      return `internal ${String((error.cause as { readonly code?: string } | undefined)?.code)} ${String((error.cause as { readonly syscall?: string } | undefined)?.syscall)}`;
    return error.code;
  }
}

function changesOutside(scene: Scene): readonly string[] {
  const fresh = makeScene();
  try {
    const expected = snapshot(fresh.outside).map((row) => row.replaceAll(fresh.top, scene.top));
    const found = snapshot(scene.outside);
    return [...found.filter((row) => !expected.includes(row)), ...expected.filter((row) => !found.includes(row))].map((row) => `changed outside: ${row}`);
  } finally {
    rmSync(fresh.top, { recursive: true, force: true });
  }
}

/** Descriptors of ours that stand anywhere in the scene. */
function openDescriptors(scene: Scene): number {
  const targets = readdirSync("/proc/self/fd").map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The one that this very listing had open.
      return "";
    }
  });
  return targets.filter((target) => target.startsWith(scene.top)).length;
}
