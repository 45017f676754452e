/** Refuses a second change of one path within one batch of tool calls. It does not cover two sessions: versions do. */
import { untilAborted } from "../contract/until-aborted.ts";
import { HangoError } from "../errors.ts";
import { MAX_REMEMBERED_BATCHES } from "../limits.ts";

export type Outcome = "done" | "failed";

export interface Claim {
  /**
   * Waits for the earlier calls of the batch that claimed the path, something above or something below it: a failed one gives its place to the next in line.
   * Errors: duplicate_mutation once one of them has succeeded; an abort rethrows `signal.reason`.
   */
  readonly turn: (signal?: AbortSignal) => Promise<void>;
  /** A change that succeeded keeps its path until the batch is forgotten; one that failed gives it back. Without a batch id, the path is free as soon as the call ends. */
  readonly settle: (outcome: Outcome) => void;
}

export interface BatchGuard {
  /** Claims a path in agent form and what is below it, at once: in call order, before anything is awaited. */
  readonly claim: (path: string, batchId: string | undefined) => Claim;
}

interface Entry {
  readonly path: string;
  readonly outcome: Promise<Outcome>;
}

export function createBatchGuard(): BatchGuard {
  const batches = new Map<string, Set<Entry>>();
  const inFlight = new Set<Entry>();

  function entriesOf(batchId: string | undefined): Set<Entry> {
    if (batchId === undefined) return inFlight;
    const entries = batches.get(batchId) ?? new Set();
    // Deleting first moves the batch to the end: the oldest is the first to be forgotten.
    batches.delete(batchId);
    batches.set(batchId, entries);
    if (batches.size > MAX_REMEMBERED_BATCHES) batches.delete(batches.keys().next().value as string);
    return entries;
  }

  return {
    claim: (path, batchId) => {
      const entries = entriesOf(batchId);
      const earlier = [...entries].filter((entry) => overlap(entry.path, path));
      const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
      const entry: Entry = { path, outcome };
      entries.add(entry);
      return {
        turn: async (signal) => {
          for (const before of earlier) if ((await untilAborted(before.outcome, signal)) === "done") throw duplicate(path, before.path);
        },
        settle: (ended) => {
          if (ended === "failed" || batchId === undefined) entries.delete(entry);
          resolve(ended);
        },
      };
    },
  };
}

function duplicate(path: string, claimed: string): HangoError {
  const what = claimed === path ? `${path} was already changed` : `${path} overlaps with ${claimed}, which was already changed`;
  return new HangoError("duplicate_mutation", `${what} by another call of this batch; one change a path and batch. Make this change in your next step.`, {
    path,
    details: { claimed },
  });
}

/** The same path, or one above the other. */
function overlap(one: string, other: string): boolean {
  return one === other || isInside(one, other) || isInside(other, one);
}

function isInside(path: string, directory: string): boolean {
  return path.startsWith(directory === "/" ? "/" : `${directory}/`);
}
