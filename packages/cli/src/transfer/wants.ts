/** Which paths `--include` and `--exclude` leave: globs as everywhere in hango. */
import { type GlobPattern, matchGlob, parseGlob } from "hango";

export interface WantsOptions {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** A directory (its path ends in a slash) is only ever excluded: what is included may lie in it. Errors: invalid_pattern. */
export function wantsOf({ include = [], exclude = [] }: WantsOptions): (path: string) => boolean {
  const [included, excluded] = [include.map(parse), exclude.map(parse)];
  return (path) => {
    const isDirectory = path.endsWith("/");
    const plain = isDirectory ? path.slice(0, -1) : path;
    if (excluded.some((pattern) => matchGlob(pattern, plain))) return false;
    return isDirectory || included.length === 0 || included.some((pattern) => matchGlob(pattern, plain));
  };
}

/** A trailing slash, as in .gitignore, says that a directory is meant. */
function parse(text: string): GlobPattern {
  return parseGlob(text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text);
}
