import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Change, createOverlay, memoryStorage, type Storage, unifiedDiff } from "hango";
import { freshSeed, seededRandom } from "../../packages/hango/src/testing/random.ts";
import { changeRandomly, fillRandomly } from "./change-sets.ts";
import { foldingStorage } from "./folding-storage.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
const seed = Number(process.env["HANGO_SEED"] ?? freshSeed());
/** In all; HANGO_CHANGE_SETS asks for more. */
const sets = Number(process.env["HANGO_CHANGE_SETS"] ?? 500);

/** Neither the user's settings nor a repository around the directory decide anything. */
const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CEILING_DIRECTORIES: tmpdir(), LC_ALL: "C" };

type Tree = ReadonlyMap<string, string>;

async function treeOf(storage: Storage): Promise<Tree> {
  const tree = new Map<string, string>();
  for (const { path } of await storage.list()) tree.set(path, Buffer.from((await storage.read(path)).bytes).toString("base64"));
  return tree;
}

function readTree(directory: string): Tree {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) => statSync(join(directory, path)).isFile());
  return new Map(paths.map((path) => [path, readFileSync(join(directory, path)).toString("base64")]));
}

function writeTree(directory: string, tree: Tree): void {
  for (const [path, content] of tree) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), Buffer.from(content, "base64"));
  }
}

const sorted = (tree: Tree): readonly (readonly [string, string])[] => [...tree].sort(([a], [b]) => (a < b ? -1 : 1));

function isBinary(change: Change): boolean {
  return [change.kind === "delete" ? undefined : change.bytes, change.kind === "create" ? undefined : change.previous].some((bytes) => bytes?.includes(0));
}

describe.skipIf(!hasGit)(`unifiedDiff and git apply (HANGO_SEED=${seed})${hasGit ? "" : ": there is no git on this machine"}`, () => {
  let top = "";
  beforeAll(() => {
    top = mkdtempSync(join(tmpdir(), "hango-git-"));
  });
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  async function agree(number: number, base: Storage, binary: boolean): Promise<number> {
    const random = seededRandom(seed + number);
    await fillRandomly(random, base, 2 + random.below(8));
    const directory = join(top, String(number));
    mkdirSync(directory);
    writeTree(directory, await treeOf(base));
    const overlay = createOverlay({ base });
    await changeRandomly(random, overlay.storage, { changes: 1 + random.below(9), binary });
    const changes = await overlay.changes();
    const diff = unifiedDiff(changes, random.oneIn(3) ? { context: random.below(3) } : {});
    const label = `HANGO_SEED=${seed}, change set ${number}\n${diff}`;
    const left = new Set(changes.filter(isBinary).map(({ path }) => path));
    // With nothing but binary files there is no patch, and git says so.
    if (changes.length > left.size)
      try {
        execFileSync("git", ["apply", "--whitespace=nowarn", ...(diff.includes("@@") ? ["--unidiff-zero"] : []), "-"], {
          cwd: directory,
          env,
          input: diff,
          stdio: ["pipe", "pipe", "pipe"],
        });
      } catch (error) {
        throw new Error(label, { cause: error });
      }
    await overlay.commit();
    const committed = await treeOf(base);
    const without = (tree: Tree): Tree => new Map([...tree].filter(([path]) => !left.has(path)));
    expect(sorted(without(readTree(directory))), label).toEqual(sorted(without(committed)));
    expect(await overlay.changes(), label).toEqual([]);
    rmSync(directory, { recursive: true, force: true });
    return changes.length;
  }

  it(`agree on ${sets} generated change sets, byte for byte, half of them on a base that folds names`, { timeout: 600_000 }, async () => {
    let changes = 0;
    for (let number = 0; number < sets; number++) changes += await agree(number, number % 2 === 0 ? memoryStorage() : foldingStorage(), false);
    expect(changes).toBeGreaterThan(sets);
  });

  it("agree on the rest of a change set that has binary files in it", { timeout: 600_000 }, async () => {
    for (let number = 0; number < 60; number++) await agree(100_000 + number, memoryStorage(), true);
  });

  it("name what could not be in the patch on a line of its own, which git skips", async () => {
    const base = memoryStorage();
    await base.write("bin", Uint8Array.of(0, 1));
    const { storage, changes } = createOverlay({ base });
    await storage.write("an empty file", new Uint8Array());
    await storage.write("bin", Uint8Array.of(0, 2));
    await storage.write("c", new TextEncoder().encode("c\n"));
    const directory = join(top, "mixed");
    mkdirSync(directory);
    writeTree(directory, await treeOf(base));
    const diff = unifiedDiff(await changes());
    expect(diff).toContain("\nBinary files a/bin and b/bin differ\n");
    execFileSync("git", ["apply", "-"], { cwd: directory, env, input: diff });
    expect([...readTree(directory).keys()].sort()).toEqual(["an empty file", "bin", "c"]);
  });
});
