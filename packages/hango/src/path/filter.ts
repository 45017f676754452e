/** Visibility as data: the one pure reading of a PathFilter; SQL has its twin. */
import type { PathFilter } from "../storage.ts";

/** True when every filter shows the path (storage form). A directory exists when some file that shows is below it. */
export function isShown(path: string, filters: readonly PathFilter[] | undefined): boolean {
  if (filters === undefined) return true;
  for (const filter of filters) if (isHidden(path, filter) && !filter.show.some((entry) => matches(path, entry, startsWith))) return false;
  return true;
}

function isHidden(path: string, filter: PathFilter): boolean {
  return matchesSome(path, filter.hide) || (filter.hideAnyCase ?? []).some((entry) => matches(path, entry, startsWithAnyCase));
}

/** Lists from which on looking a path up is worth a set. */
const LONG_LIST = 32;
/** Of lists that can't change any more: an overlay hides each path that it holds. */
const exactPaths = new WeakMap<readonly string[], { readonly exact: ReadonlySet<string>; readonly below: readonly string[] }>();

function matchesSome(path: string, entries: readonly string[]): boolean {
  if (entries.length < LONG_LIST || !Object.isFrozen(entries)) return entries.some((entry) => matches(path, entry, startsWith));
  let known = exactPaths.get(entries);
  if (known === undefined) exactPaths.set(entries, (known = { exact: new Set(entries), below: entries.filter((entry) => entry.endsWith("/")) }));
  return known.exact.has(path) || known.below.some((entry) => matches(path, entry, startsWith));
}

function matches(path: string, entry: string, starts: (path: string, head: string) => boolean): boolean {
  if (entry === "/") return true;
  if (entry.endsWith("/")) return path.length > entry.length && starts(path, entry);
  return path.length === entry.length && starts(path, entry);
}

function startsWith(path: string, head: string): boolean {
  return path.startsWith(head);
}

/** ASCII letters compare without case, everything else byte for byte: no Unicode table can make two names alike. */
export function startsWithAnyCase(path: string, head: string): boolean {
  if (path.length < head.length) return false;
  for (let index = 0; index < head.length; index++) if (lower(path.charCodeAt(index)) !== lower(head.charCodeAt(index))) return false;
  return true;
}

function lower(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
}
