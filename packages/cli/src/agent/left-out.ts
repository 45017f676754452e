/** What an agent is not shown of a directory unless told so: what git ignores, which is where secrets and a million built files are, and every node_modules. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HangoError, isHangoError, parseAgentPath } from "hango";
import { createGitIgnore } from "../transfer/git-ignore.ts";
import { isUnreadable } from "../transfer/walk-tree.ts";
import { foldName } from "./fold-name.ts";

/** Directories looked at, and paths left out: each listing compares with all of them. */
const MAX_DIRECTORIES = 20_000;
const MAX_LEFT_OUT = 5_000;

export interface LeftOut {
  /** Absolute paths as the disk spells them, a directory with a final slash. */
  readonly paths: readonly string[];
  /** Absolute paths that stand beside another spelling of themselves: there the disk tells spellings apart. */
  readonly twins: ReadonlySet<string>;
}

/** The topmost ignored files and directories. Errors: too_large. */
export async function leftOutOf(root: string): Promise<LeftOut> {
  // Letters count for nothing: a disk that folds them reads an ignored .env as .ENV. An exception to a rule holds only where git takes it too.
  const rules = (["ignored", "as git"] as const).map((letters) => createGitIgnore(root, { case: letters }));
  const paths: string[] = [];
  const twins = new Set<string>();
  const open: string[] = [""];
  let looked = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (++looked > MAX_DIRECTORIES || paths.length > MAX_LEFT_OUT) throw tooMany(root);
    for (const each of rules) each.enter(at);
    const entries = await entriesOf(join(root, at));
    const here = `${at === "" ? "" : `${at}/`}`;
    for (const name of twinsAmong(entries)) twins.add(`/${here}${name}`);
    for (const entry of entries) {
      const name = entry.name.toLowerCase();
      if (name === ".git") continue;
      const isDirectory = entry.isDirectory();
      const path = `${here}${entry.name}`;
      const asked = isDirectory ? `${path}/` : path;
      if ((isDirectory && name === "node_modules") || rules.some((each) => each.ignores(asked))) {
        if (isNameable(path)) paths.push(`/${asked}`);
      } else if (isDirectory) open.push(path);
    }
  }
  return { paths: paths.toSorted(), twins };
}

/** What a person leaves out by its path, as the disk spells it; as it is given where nothing of that name is there. */
export async function excludedFrom(root: string, given: string): Promise<LeftOut> {
  const twins = new Set<string>();
  let found: readonly string[] = [""];
  for (const segment of parseAgentPath(given).split("/").slice(1)) {
    const next: string[] = [];
    for (const parent of found) {
      const entries = await entriesOf(join(root, parent));
      for (const name of twinsAmong(entries)) twins.add(`${parent}/${name}`);
      const alike = entries.map(({ name }) => name).filter((name) => foldName(name) === foldName(segment) && isNameable(name));
      // Where the name stands as it is given, another spelling is another file.
      for (const name of alike.includes(segment) ? [segment] : alike) next.push(`${parent}/${name}`);
    }
    found = next.slice(0, MAX_LEFT_OUT);
  }
  return { paths: found.length === 0 ? [given] : found, twins };
}

/** Names of one directory that would be one on a disk that folds them. */
function twinsAmong(entries: readonly Dirent[]): readonly string[] {
  const first = new Map<string, string>();
  const twins = new Set<string>();
  for (const { name } of entries) {
    const folded = foldName(name);
    const other = first.get(folded);
    if (other === undefined) first.set(folded, name);
    else twins.add(other).add(name);
  }
  return [...twins];
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    // What can't be listed here can't be listed by the agent either.
    if (isUnreadable(error)) return [];
    throw error;
  }
}

/** A name that the storage can't hold is not shown anyway. */
function isNameable(path: string): boolean {
  try {
    parseAgentPath(`/${path}`);
    return true;
  } catch (error) {
    if (isHangoError(error)) return false;
    throw error;
  }
}

function tooMany(root: string): HangoError {
  return new HangoError(
    "too_large",
    `${root} is too large to look through its ignore files (${MAX_DIRECTORIES} directories, ${MAX_LEFT_OUT} ignored paths). Name a directory below it, or use --no-ignore with --exclude for what the agent must not see.`,
  );
}
