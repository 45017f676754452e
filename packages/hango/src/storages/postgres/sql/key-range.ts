/** Paths as keys: stored with a leading slash, compared as bytes, a prefix always a range and never a LIKE. */
import { ancestorsOf } from "../../../path/path.ts";
import type { FilePath } from "../../../storage.ts";

/** Follows every path there is. */
export const END_KEY = "0";

/** How a path is stored. */
export function keyOf(path: string): string {
  return `/${path}`;
}

/** The keys of the files above a path, which must not exist. */
export function ancestorKeys(path: FilePath): readonly string[] {
  return ancestorsOf(path).map(keyOf);
}

/** A directory as the head of the keys below it: "/docs/"; "/" for the root. */
export function directoryKey(directory: string): string {
  return directory === "" ? "/" : `/${directory}/`;
}

/** The first key that no longer starts with the (not empty) head, in UTF-8 byte order, which is that of code points. */
export function keyAfter(head: string): string {
  const points = Array.from(head);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next > 0x10ffff) continue;
    return points.join("") + String.fromCodePoint(next >= 0xd800 && next <= 0xdfff ? 0xe000 : next);
  }
  return END_KEY;
}
