/** Generated trees and what an agent might do to them. */
import type { Storage } from "hango";
import type { Random } from "../../packages/hango/src/testing/random.ts";

const encoder = new TextEncoder();
const NAMES = [
  "a",
  "b",
  "my file.md",
  "x b",
  "b/x b",
  'quo"te',
  "tail ",
  " head",
  "é",
  "\u{1F600}.txt",
  "e\u0301",
  "--- a",
  "dev",
  "null",
  "[id]",
  "$&",
  "a\u00a0",
  "Readme.md",
  "#x",
  "it's",
  "100%",
  "*",
] as const;
const LINES = [
  "one",
  "two",
  "three",
  "",
  "-- a/x",
  "++ b/x",
  "@@ -1 +1 @@",
  "diff --git a/x b/x",
  "\\ No newline at end of file",
  "tail \t",
  "é\u2028x",
  "\u{1F600}",
  "\r",
  " ",
] as const;
const ENDS = ["\n", "\n", "\n", "\r\n"] as const;

function randomPath(random: Random): string {
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(NAMES)).join("/");
}

function randomText(random: Random): string {
  if (random.oneIn(8)) return "";
  const end = random.oneIn(3) ? undefined : random.pick(ENDS);
  const lines = Array.from({ length: random.below(14) }, () => random.pick(LINES) + (end ?? random.pick(ENDS)));
  return (random.oneIn(10) ? "\ufeff" : "") + lines.join("") + (random.oneIn(3) ? "no newline" : "");
}

function edited(random: Random, text: string): string {
  if (random.oneIn(5)) return randomText(random);
  if (random.oneIn(8)) return text.replaceAll("\r\n", "\n");
  if (random.oneIn(8)) return text.endsWith("\n") ? text.slice(0, -1) : `${text}\n`;
  const lines = text.split("\n");
  const changes = 1 + random.below(3);
  for (let change = 0; change < changes; change++)
    lines.splice(random.below(lines.length + 1), random.below(2), ...(random.oneIn(2) ? [] : [random.pick(LINES)]));
  return lines.join("\n");
}

const isClash = (path: string, other: string): boolean =>
  path.toLowerCase() === other.toLowerCase() ||
  `${path}/`.toLowerCase().startsWith(`${other}/`.toLowerCase()) ||
  `${other}/`.toLowerCase().startsWith(`${path}/`.toLowerCase());

/** Files none of which stands below another or is another in a different case. */
export async function fillRandomly(random: Random, storage: Storage, files: number): Promise<void> {
  const paths: string[] = [];
  for (let turn = 0; turn < files * 3 && paths.length < files; turn++) {
    const path = randomPath(random);
    if (paths.some((other) => isClash(path, other))) continue;
    paths.push(path);
    await storage.write(path, encoder.encode(randomText(random)));
  }
}

export interface ChangeOptions {
  readonly changes: number;
  readonly binary: boolean;
}

/** Writes, edits, deletes, and renames in another case. */
export async function changeRandomly(random: Random, storage: Storage, { changes, binary }: ChangeOptions): Promise<void> {
  for (let change = 0; change < changes; change++) {
    const paths = (await storage.list()).map(({ path }) => path);
    const kind = random.below(10);
    if (kind < 3 || paths.length === 0) {
      const path = randomPath(random);
      if (!paths.some((other) => isClash(path, other))) await storage.write(path, encoder.encode(randomText(random)));
      continue;
    }
    const path = random.pick(paths);
    const { bytes } = await storage.read(path);
    if (kind < 7) await storage.write(path, binary && random.oneIn(4) ? Uint8Array.of(0, random.below(256)) : encoder.encode(edited(random, textOf(bytes))));
    else await storage.delete(path);
    const swapped = path === path.toLowerCase() ? path.toUpperCase() : path.toLowerCase();
    const isFree = !paths.some((other) => other !== path && isClash(swapped, other));
    if (kind === 9 && isFree && swapped.toLowerCase() === path.toLowerCase() && swapped !== path)
      await storage.write(swapped, random.oneIn(2) ? bytes : encoder.encode(edited(random, textOf(bytes))));
    else if (kind === 8 && random.oneIn(2)) await storage.write(`${path}/below`, encoder.encode("a directory now\n"));
  }
}

/** The byte order mark stays. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
