/** What stands at a path, looked up one name at a time below the open root, links included as long as they stay inside. */
import { lstatSync, readlinkSync, type BigIntStats } from "node:fs";
import { sep } from "node:path";
import type { Directory } from "./directory.ts";
import { isHiddenName } from "./hidden-names.ts";
import { isMissing, isSwapped, neverStill, osCode } from "./os-errors.ts";
import type { Root } from "./root.ts";

export type Found =
  | { readonly kind: "file"; readonly directory: Directory; readonly name: string; readonly stats: BigIntStats }
  | { readonly kind: "directory"; readonly directory: Directory; readonly linked: boolean }
  | { readonly kind: "absent" | "hidden" | "outside" | "loop" | "special" };

/** Links followed for one path; as many as Linux follows. */
const MAX_LINKS = 40;
/** Times that one look-up may find a name changed under it. */
const MAX_CHANGES = 16;

/**
 * Looks a path up and hands over what is there; the directories on the way are closed when `use` returns, so it can't wait for anything.
 * That also keeps it one step: nothing else of this process comes between the look-up and the use.
 */
export function withFound<T>(root: Root, path: string, use: (found: Found) => T): T {
  const opened: Directory[] = [];
  try {
    return use(find(root, path, opened));
  } finally {
    for (const directory of opened) directory.close();
  }
}

/** `opened` holds the directories from below the root to here; a ".." of a link goes back along them. */
function find(root: Root, path: string, opened: Directory[]): Found {
  const top = root.top();
  /** Names to come, the next one last. */
  const pending = path === "" ? [] : path.split("/").reverse();
  let links = 0;
  let changes = 0;
  for (;;) {
    const here = opened.at(-1) ?? top;
    const name = pending.pop();
    if (name === undefined) return { kind: "directory", directory: here, linked: links > 0 };
    if (name === "" || name === ".") continue;
    if (name === "..") {
      const left = opened.pop();
      if (left === undefined) return { kind: "outside" };
      left.close();
      continue;
    }
    if (isHiddenName(name)) return { kind: "hidden" };
    // On the way a directory is what is expected: one call less than looking first.
    const passed = pending.length === 0 ? undefined : tryChild(here, name);
    if (passed !== undefined) {
      opened.push(passed);
      continue;
    }
    const stats = lstatSync(here.at(name), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return { kind: "absent" };
    if (stats.isFile()) return pending.length === 0 ? { kind: "file", directory: here, name, stats } : { kind: "absent" };
    if (!stats.isDirectory() && !stats.isSymbolicLink()) return { kind: pending.length === 0 ? "special" : "absent" };
    try {
      if (stats.isDirectory()) {
        opened.push(here.child(name));
        continue;
      }
      links += 1;
      if (links > MAX_LINKS) return { kind: "loop" };
      const target = targetOf(here.at(name), root);
      if (target === undefined) return { kind: "outside" };
      if (target.fromTop) for (const directory of opened.splice(0)) directory.close();
      pending.push(...target.names.reverse());
    } catch (error) {
      // What lstat saw is gone or another thing by now: look again.
      if (!isSwapped(error) && osCode(error) !== "ENOENT" && osCode(error) !== "EINVAL") throw error;
      changes += 1;
      if (changes > MAX_CHANGES) throw neverStill("look up", path);
      pending.push(name);
    }
  }
}

function tryChild(here: Directory, name: string): Directory | undefined {
  try {
    return here.child(name);
  } catch (error) {
    if (isMissing(error) || isSwapped(error)) return undefined;
    throw error;
  }
}

/** Where a link leads, as names; undefined when that can't be inside. */
function targetOf(link: string, root: Root): { readonly names: string[]; readonly fromTop: boolean } | undefined {
  // What a target of Windows means depends on drives, shares and junctions: none of them is followed.
  if (sep !== "/") return undefined;
  const target = decodeName(readlinkSync(link, { encoding: "buffer" }));
  if (target === undefined) return undefined;
  if (!target.startsWith("/")) return { names: target.split("/"), fromTop: false };
  const { realPath } = root.identity;
  const inside = realPath.endsWith("/") ? realPath : `${realPath}/`;
  return `${target}/`.startsWith(inside) ? { names: target.slice(inside.length).split("/"), fromTop: true } : undefined;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A name from the disk; undefined when it is not UTF-8. */
export function decodeName(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    // TypeError is how the decoder says no.
    return undefined;
  }
}
