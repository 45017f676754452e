/** Two trees of one shape: the one that a storage stands on, and one beside it whose bytes must never show. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const CANARY = "CANARY-7f3a91";
export const DIRECTORIES: readonly string[] = ["d0", "d1", "d2"];
export const INNER: readonly string[] = ["e0", "e1"];
export const FILES: readonly string[] = ["f0.txt", "f1.txt"];

export interface Scene {
  readonly top: string;
  readonly root: string;
  readonly outside: string;
}

/** The places in one tree: files directly in the root, and two directories down. */
export function placesIn(tree: string): readonly string[] {
  return [...FILES, ...DIRECTORIES.flatMap((directory) => INNER.flatMap((inner) => FILES.map((file) => join(directory, inner, file))))].map((path) =>
    join(tree, path),
  );
}

/** In memory where there is such a place: a disk's journal would make most of the race a wait. */
const place: string = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export function makeScene(): Scene {
  const top = mkdtempSync(join(place, "hango-attack-"));
  const scene = { top, root: join(top, "root"), outside: join(top, "outside") };
  for (const [tree, content] of [
    [scene.root, "inside"],
    // The same names, also one directory up, so that a link to any depth of it meets files that look right.
    [scene.outside, CANARY],
    [join(scene.outside, "d0"), CANARY],
  ] as const) {
    for (const file of placesIn(tree)) {
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, `${content}\n`);
    }
  }
  return scene;
}

/** Every file below a directory with its content: what has to be the same before and after. */
export function snapshot(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => `${join(entry.parentPath, entry.name)} ${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "utf8") : "-"}`)
    .sort();
}
