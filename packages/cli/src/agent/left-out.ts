/** What an agent is not shown of a directory unless told so: what git ignores, which is where secrets and a million built files are, and every node_modules. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HangoError, isHangoError, parseAgentPath } from "hango";
import { createGitIgnore } from "../transfer/git-ignore.ts";
import { isUnreadable } from "../transfer/walk-tree.ts";

/** Directories looked at, and paths left out: each listing compares with all of them. */
const MAX_DIRECTORIES = 20_000;
const MAX_LEFT_OUT = 5_000;

/** Absolute paths of the topmost ignored files and directories, a directory with a final slash. Errors: too_large. */
export async function leftOutOf(root: string): Promise<readonly string[]> {
  const rules = createGitIgnore(root);
  const found: string[] = [];
  const open: string[] = [""];
  let looked = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (++looked > MAX_DIRECTORIES || found.length > MAX_LEFT_OUT) throw tooMany(root);
    rules.enter(at);
    for (const entry of await entriesOf(join(root, at))) {
      if (entry.name.toLowerCase() === ".git") continue;
      const isDirectory = entry.isDirectory();
      const path = `${at === "" ? "" : `${at}/`}${entry.name}`;
      if ((isDirectory && entry.name === "node_modules") || rules.ignores(isDirectory ? `${path}/` : path)) {
        if (isNameable(path)) found.push(isDirectory ? `/${path}/` : `/${path}`);
      } else if (isDirectory) open.push(path);
    }
  }
  return found.toSorted();
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
