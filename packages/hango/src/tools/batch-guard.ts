/** Refuses a second change of one path within one batch of tool calls. It does not cover two sessions: versions do. */
import { HangoError } from "../errors.ts";
import { MAX_REMEMBERED_BATCHES } from "../limits.ts";

export interface Claim {
  /** A change that succeeded keeps its path until the batch is forgotten; one that failed gives it back. Without a batch id, the path is free as soon as the call ends. */
  readonly settle: (outcome: "done" | "failed") => void;
}

export interface BatchGuard {
  /**
   * Claims a path in agent form and what is below it, at once: in call order, before anything is awaited.
   * Errors: duplicate_mutation.
   */
  readonly claim: (path: string, batchId: string | undefined) => Claim;
}

export function createBatchGuard(): BatchGuard {
  const batches = new Map<string, Set<string>>();
  const inFlight = new Set<string>();

  function pathsOf(batchId: string | undefined): Set<string> {
    if (batchId === undefined) return inFlight;
    const paths = batches.get(batchId) ?? new Set();
    // Deleting first moves the batch to the end: the oldest is the first to be forgotten.
    batches.delete(batchId);
    batches.set(batchId, paths);
    if (batches.size > MAX_REMEMBERED_BATCHES) batches.delete(batches.keys().next().value as string);
    return paths;
  }

  return {
    claim: (path, batchId) => {
      const paths = pathsOf(batchId);
      const claimed = findOverlap(paths, path);
      if (claimed !== undefined) {
        const what = claimed === path ? `${path} is already being changed` : `${path} overlaps with ${claimed}, which is already being changed,`;
        throw new HangoError("duplicate_mutation", `${what} by another call of this batch; one change a path and batch. Make this change in your next step.`, {
          path,
          details: { claimed },
        });
      }
      paths.add(path);
      return {
        settle: (outcome) => {
          if (outcome === "failed" || batchId === undefined) paths.delete(path);
        },
      };
    },
  };
}

function findOverlap(paths: ReadonlySet<string>, path: string): string | undefined {
  if (paths.has(path)) return path;
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) if (paths.has(path.slice(0, end))) return path.slice(0, end);
  if (path !== "/" && paths.has("/")) return "/";
  const inside = path === "/" ? "/" : `${path}/`;
  for (const claimed of paths) if (claimed.startsWith(inside)) return claimed;
  return undefined;
}
