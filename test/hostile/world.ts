/** The tree that the hostile calls are made against, the same on every storage. */
import type { Storage } from "../../packages/hango/src/storage.ts";
import { hostilePaths, hostileTexts, type Texts } from "./texts.ts";

export interface World {
  readonly seed: number;
  readonly texts: Texts;
  readonly paths: readonly string[];
}

export interface WorldSize {
  readonly seed: number;
  readonly textBytes: number;
  readonly paths: number;
}

const SMALL_CONTENT = "aab\nab\n";

export function makeWorld({ seed, textBytes, paths }: WorldSize): World {
  return { seed, texts: hostileTexts(seed, textBytes), paths: hostilePaths(seed, paths) };
}

export async function fillWorld(storage: Storage, { texts, paths }: World): Promise<void> {
  for (const [path, text] of texts) await storage.write(path, new TextEncoder().encode(text));
  const bytes = new TextEncoder().encode(SMALL_CONTENT);
  for (const path of paths) await storage.write(path, bytes);
}

/** What stands at each path, in byte order of paths. */
export function worldFiles({ texts, paths }: World): ReadonlyMap<string, string> {
  const files = new Map([...texts, ...paths.map((path): readonly [string, string] => [path, SMALL_CONTENT])]);
  return new Map([...files].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
}
