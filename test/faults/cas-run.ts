/** A history on a server, held against the record and the stored state. */
import type { Storage } from "../../packages/hango/src/storage.ts";
import { type Query, stateFaults } from "./audit-check.ts";
import { type HistoryOptions, recordHistory } from "./cas-history.ts";
import { type Recorded, violations } from "./linearizable.ts";

export interface CasReport {
  readonly operations: number;
  readonly wrote: number;
  readonly deleted: number;
  readonly refused: number;
  readonly open: number;
  readonly perSecond: number;
  readonly longestMs: number;
  readonly faults: readonly string[];
}

export async function runCas(storage: Storage, query: Query, options: HistoryOptions): Promise<CasReport> {
  const start = performance.now();
  const history = await recordHistory(storage, options);
  const seconds = (performance.now() - start) / 1000;
  const rows = await query("select tool_call_id as id, action, coalesce(version, previous_version) as version from hango.audit_events");
  const record = new Map(
    rows.map((row): [string, Recorded] => [
      String(row["id"]),
      { kind: row["action"] === "file.delete" ? "deleted" : "wrote", version: String(row["version"]) },
    ]),
  );
  const count = (kind: string): number => history.filter(({ effect }) => effect.kind === kind).length;
  return {
    operations: history.length,
    wrote: count("wrote"),
    deleted: count("deleted"),
    refused: history.filter(({ effect, expected }) => effect.kind === "saw" && expected !== undefined).length,
    open: count("open"),
    perSecond: Math.round(history.length / seconds),
    longestMs: Math.round(history.reduce((most, call) => Math.max(most, call.end - call.start), 0)),
    faults: [...violations(history, record), ...(await stateFaults(query))],
  };
}
