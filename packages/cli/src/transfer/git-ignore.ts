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

export interface GitIgnoreOptions {
  /** "as git": told apart but on macOS and Windows, as in a repository made there. */
  readonly case: "as git" | "ignored";
}

/** Rules of the user's own git configuration are not read. */
export function createGitIgnore(root: string, options: GitIgnoreOptions): GitIgnore {
  const ignorecase = options.case === "ignored" || process.platform === "darwin" || process.platform === "win32";
  const rulesIn = (file: string): Ignore | undefined => readRules(file, { ignorecase });
  const known: Rules[] = repositoryRules(root, rulesIn);

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

function repositoryRules(root: string, rulesIn: (file: string) => Ignore | undefined): Rules[] {
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

function readRules(file: string, options: { readonly ignorecase: boolean }): Ignore | undefined {
  try {
    return ignore(options).add(readFileSync(file, "utf8"));
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
