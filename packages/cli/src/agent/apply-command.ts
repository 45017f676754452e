import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** The command that applies a patch to the directory it was made for, as a person can type it here. Below the top of a repository, git passes by every path of a patch without a word unless it is told where they stand. */
export function applyCommand(directory: string, file: string, ...flags: readonly string[]): string {
  const here = resolve(directory) === process.cwd();
  const below = placeInRepository(realpathSync(directory));
  const words = ["git", ...(here ? [] : ["-C", directory]), "apply", ...flags, ...(below === "" ? [] : [`--directory=${below}`]), here ? file : resolve(file)];
  return words.map(shellWord).join(" ");
}

/** The path from the top of the repository; "" at the top, and where there is no repository. */
function placeInRepository(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return relative(at, directory).split(sep).join("/");
    if (dirname(at) === at) return "";
  }
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
