/** Runs a change that may have been made already: its events carry ids of this very call, and prove it whatever others did since. */
import type { FileInfo } from "../../../storage.ts";
import type { Row, RunOptions, Statement } from "../driver/driver.ts";
import { isRepeated } from "../errors.ts";
import { recordedRows } from "./record.ts";
import { dateOf, lastRows, numberOf, run, type Scope, textOf } from "./scope.ts";

export interface Change {
  readonly statements: readonly Statement[];
  /** The ids of the events that the change keeps. */
  readonly events: readonly string[];
  /** Whether the last statement's rows say that it was made, now or by an earlier attempt. */
  readonly isDone: (rows: readonly Row[]) => boolean;
  readonly options: Partial<RunOptions>;
}

export interface Outcome {
  /** Of the last statement; none when only the events tell. */
  readonly rows: readonly Row[];
  /** The events by id, when an attempt whose answer was lost had been committed and its rows no longer show it. */
  readonly kept: ReadonlyMap<string, Row> | undefined;
}

/** Errors: those of the run. Never a conflict with what the call itself did. */
export async function runChange(scope: Scope, { statements, events, isDone, options }: Change): Promise<Outcome> {
  let rows: readonly Row[] = [];
  let repeated: unknown;
  try {
    const result = await run(scope, statements, options);
    rows = lastRows(result);
    if (result.attempts === 1 || isDone(rows)) return { rows, kept: undefined };
  } catch (error) {
    if (!isRepeated(error)) throw error;
    repeated = error;
  }
  const kept = await recordedRows(scope, events);
  if (kept.size === events.length) return { rows, kept };
  if (repeated !== undefined) throw repeated;
  return { rows, kept: undefined };
}

/** What an event still says of the file that it wrote. */
export function infoOfEvent(event: Row, path: string, contentType: string): FileInfo {
  const updatedAt = dateOf(event, "at");
  return {
    path,
    sizeBytes: numberOf(event, "size_bytes") ?? 0,
    contentType,
    version: textOf(event, "version") ?? "",
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
}
