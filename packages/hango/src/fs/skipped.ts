import { MAX_SKIPPED } from "../limits.ts";
import { toAgentPath } from "../path/path.ts";

export interface Skipped {
  readonly onSkip: (path: string) => void;
  readonly paths: () => readonly string[];
}

/** Collects the files that a storage could not name or read, each once. Limits: the first MAX_SKIPPED. */
export function collectSkipped(): Skipped {
  const found = new Set<string>();
  return {
    onSkip: (path: string): void => {
      if (found.size < MAX_SKIPPED) found.add(toAgentPath(path));
    },
    paths: () => [...found],
  };
}
