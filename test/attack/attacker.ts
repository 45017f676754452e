/** Runs as a process of its own: swaps directories, files and links in the storage's directory as fast as it can, until it is told to stop. */
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIRECTORIES, FILES, INNER } from "./scene.ts";

const [root = "", outside = "", hold = ""] = process.argv.slice(2);
let swaps = 0;
let missed = 0;
let turn = 0;

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const directory = (): string => join(root, pick(DIRECTORIES));
const inner = (): string => join(directory(), pick(INNER));
const file = (): string => join(inner(), pick(FILES));
const aside = (): string => join(hold, String((turn += 1)));

/** Lets a thing stand about as long as a look-up takes, so that a swap falls before, into and after one. */
function linger(): void {
  const end = performance.now() + Math.random() * 0.1;
  while (performance.now() < end);
}

/** Puts a link in the place of a thing, and the thing back. */
function linkFor(path: string, target: string): void {
  const kept = aside();
  renameSync(path, kept);
  try {
    symlinkSync(target, path);
    linger();
    unlinkSync(path);
  } finally {
    back(kept, path);
  }
}

/** The victim may have made something of the same name meanwhile: it is removed, so that the scene stays whole. */
function back(kept: string, path: string): void {
  try {
    renameSync(kept, path);
  } catch {
    rmSync(path, { recursive: true, force: true });
    renameSync(kept, path);
  }
}

const attacks: readonly (() => void)[] = [
  () => linkFor(directory(), outside),
  () => linkFor(inner(), join(outside, pick(DIRECTORIES), pick(INNER))),
  () => linkFor(inner(), "../../outside"),
  () => linkFor(file(), join(outside, pick(FILES))),
  () => linkFor(file(), "../../../outside/f0.txt"),
  // A parent becomes a file, and a directory again.
  () => {
    const [path, kept] = [inner(), aside()];
    renameSync(path, kept);
    try {
      writeFileSync(path, "a file now\n");
      linger();
      unlinkSync(path);
    } finally {
      back(kept, path);
    }
  },
  // Two parents change places.
  () => {
    const [a, b, kept] = [inner(), inner(), aside()];
    if (a === b) return;
    renameSync(a, kept);
    try {
      renameSync(b, a);
    } finally {
      back(kept, b);
    }
  },
  // A new name that is a link from the start, also a hard link inside.
  () => {
    const path = join(inner(), "new.txt");
    symlinkSync(join(outside, "new.txt"), path);
    linger();
    unlinkSync(path);
  },
  () => {
    const path = join(inner(), "hard.txt");
    linkSync(file(), path);
    unlinkSync(path);
  },
  () => {
    mkdirSync(inner(), { recursive: true });
    writeFileSync(file(), "inside\n");
  },
];

let running = true;
process.on("message", () => (running = false));
process.on("disconnect", () => process.exit());

function burst(): void {
  for (let count = 0; count < 200; count++) {
    try {
      pick(attacks)();
      swaps += 1;
      linger();
    } catch {
      // Its own swaps and the victim's writes get in its way: it goes on with the next.
      missed += 1;
    }
  }
  if (running) setImmediate(burst);
  else process.send?.({ swaps, missed }, () => process.disconnect());
}
burst();
