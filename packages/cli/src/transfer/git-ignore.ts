/** What git would ignore: the .gitignore files of the tree and of the repository above it, and the repository's own exclude file. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { type GitIgnore, isUnreadable } from "./walk-tree.ts";

interface Rules {
  /** Below it they hold; "" for the root of the walk. */
  readonly base: string;
  /** What stands before a path that is relative to the base, for rules of a directory above the root. */
  readonly above: string;
  readonly rules: Ignore;
}

/** Rules of the user's own git configuration are not read. */
export function createGitIgnore(root: string): GitIgnore {
  const known: Rules[] = repositoryRules(root);

  function enter(directory: string): void {
    const rules = rulesIn(join(root, directory, ".gitignore"));
    if (rules !== undefined) known.push({ base: directory === "" ? "" : `${directory}/`, above: "", rules });
  }

  /** The last rule that says anything decides, and those of deeper directories come last. */
  function ignores(path: string): boolean {
    const holding = known.filter(({ base }) => path.startsWith(base)).toSorted((a, b) => a.base.length - b.base.length);
    let ignored = false;
    for (const { base, above, rules } of holding) {
      const { ignored: yes, unignored: no } = rules.test(above + path.slice(base.length));
      if (yes) ignored = true;
      else if (no) ignored = false;
    }
    return ignored;
  }
  return { enter, ignores };
}

function repositoryRules(root: string): Rules[] {
  const chain: string[] = [];
  for (let at = root; ; at = dirname(at)) {
    chain.unshift(at);
    if (existsSync(join(at, ".git"))) break;
    if (dirname(at) === at) return [];
  }
  return chain.flatMap((directory, depth): Rules[] => {
    const above = directory === root ? "" : `${relative(directory, root).split(sep).join("/")}/`;
    const files = depth === 0 ? [join(directory, ".git/info/exclude")] : [];
    if (directory !== root) files.push(join(directory, ".gitignore"));
    return files.flatMap((file) => {
      const rules = rulesIn(file);
      return rules === undefined ? [] : [{ base: "", above, rules }];
    });
  });
}

function rulesIn(file: string): Ignore | undefined {
  try {
    return ignore().add(readFileSync(file, "utf8"));
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
