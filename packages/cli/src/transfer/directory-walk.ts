/** The directories that an export writes into, opened one below the other, so that none of them is ever a link. */
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";

/** Why nothing can be written below a directory. */
export class BlockedDirectory extends Error {}

export interface DirectoryWalk {
  /** Where the entries of a directory (segments below the root) stand, made when it is not there. Errors: BlockedDirectory. */
  readonly open: (segments: readonly string[]) => string;
  readonly close: () => void;
}

interface Step {
  readonly name: string;
  readonly file: number;
  /** Of its entries. */
  readonly place: string;
  readonly id: string;
}

const FLAGS: number = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * On Linux each step goes through the open directory, so that a directory that is exchanged meanwhile leads nowhere else.
 * Elsewhere names are checked and then used. `seen` holds what each directory was called first: a file system that folds names has two for one.
 */
export function createDirectoryWalk(root: string, seen: Map<string, string>): DirectoryWalk {
  const steps: Step[] = [stepInto(root, root, "")];

  function stepInto(name: string, location: string, path: string): Step {
    const file = openSync(location, FLAGS);
    const { dev, ino } = fstatSync(file, { bigint: true });
    const id = `${dev}:${ino}`;
    const first = seen.get(id);
    if (first !== undefined && first !== path) {
      closeSync(file);
      throw new BlockedDirectory(`this file system takes its directory and /${first} for one`);
    }
    seen.set(id, path);
    return { name, file, id, place: process.platform === "linux" ? `/proc/self/fd/${file}` : location };
  }

  function below(parent: Step, name: string, path: string): Step {
    const location = join(parent.place, name);
    try {
      mkdirSync(location);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const facts = lstatSync(location);
      if (!facts.isDirectory()) throw new BlockedDirectory(facts.isSymbolicLink() ? `/${path} is a link` : `/${path} is a file`);
    }
    return stepInto(name, location, path);
  }

  function leave(depth: number): void {
    for (const { file } of steps.splice(depth)) closeSync(file);
  }

  return {
    open: (segments) => {
      let depth = 0;
      while (depth < segments.length && steps[depth + 1]?.name === segments[depth]) depth += 1;
      leave(depth + 1);
      for (; depth < segments.length; depth++) {
        const parent = steps[depth] as Step;
        steps.push(below(parent, segments[depth] as string, segments.slice(0, depth + 1).join("/")));
      }
      return (steps[depth] as Step).place;
    },
    close: () => leave(0),
  };
}
