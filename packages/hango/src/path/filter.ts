/** Visibility as data: the one pure reading of a PathFilter; SQL has its twin. */
import type { PathFilter } from "../storage.ts";

/** True when every filter shows the path (storage form). A directory exists when some file that shows is below it. */
export function isShown(path: string, filters: readonly PathFilter[] | undefined): boolean {
  if (filters === undefined) return true;
  for (const { hide, hideAnyCase, show } of filters) {
    const isHidden = isCovered(path, hide) || (hideAnyCase !== undefined && isCoveredAnyCase(path, hideAnyCase));
    if (isHidden && !isCovered(path, show)) return false;
  }
  return true;
}

/** True when one of a filter's entries matches the path. With a slash at its end the path is a directory, which an entry for all that is below matches too. */
export function isCovered(path: string, entries: readonly string[]): boolean {
  const known = knownOf(entries);
  if (known === undefined) return entries.some((entry) => matches(path, entry, startsWith));
  return entriesFor(path).some((entry) => known.entries.has(entry));
}

/** The same, whatever the case of ASCII letters. */
export function isCoveredAnyCase(path: string, entries: readonly string[]): boolean {
  return entries.some((entry) => matches(path, entry, startsWithAnyCase));
}

/** True when one of the entries is all that is below the directory (with a slash at its end), or stands below it. */
export function reachesInto(directory: string, entries: readonly string[]): boolean {
  const known = knownOf(entries);
  if (known === undefined) return entries.some((entry) => entry.startsWith(directory));
  known.above ??= new Set(entries.flatMap(entriesFor));
  return known.above.has(directory);
}

/** Every entry that could match a path: "/", each directory above it, and the path itself. So a path is looked up in a few steps, however many entries there are. */
export function entriesFor(path: string): readonly string[] {
  const found = ["/"];
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) found.push(path.slice(0, slash + 1));
  if (!path.endsWith("/")) found.push(path);
  return found;
}

/** Lists from which on looking a path up is worth a set. */
const LONG_LIST = 32;

/** The entries, and everything that stands above one of them. */
interface Known {
  readonly entries: ReadonlySet<string>;
  above?: ReadonlySet<string>;
}

/** Of lists that can't change any more: what a policy denies, what an overlay holds. */
const knownLists = new WeakMap<readonly string[], Known>();

function knownOf(entries: readonly string[]): Known | undefined {
  if (entries.length < LONG_LIST || !Object.isFrozen(entries)) return undefined;
  let known = knownLists.get(entries);
  if (known === undefined) knownLists.set(entries, (known = { entries: new Set(entries) }));
  return known;
}

function matches(path: string, entry: string, starts: (path: string, head: string) => boolean): boolean {
  if (entry === "/") return true;
  return (entry.endsWith("/") || path.length === entry.length) && starts(path, entry);
}

export function startsWith(path: string, head: string): boolean {
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
