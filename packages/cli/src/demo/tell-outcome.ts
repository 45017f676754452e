/** What a run leaves in the store: counts, sizes, what was recorded, and who wrote what. */
import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Namespace, Session } from "hango";
import type { PostgresStorage } from "hango/postgres";
import { count, counted, size } from "../output.ts";
import type { LoopResult } from "./agent-loop.ts";
import type { Screen } from "./screen.ts";

export interface Outcome {
  readonly files: PostgresStorage;
  readonly namespace: Namespace;
  readonly session: Session;
  readonly loop: LoopResult;
  /** Where the store stands. */
  readonly store: string;
}

const SHOWN_EVENTS = 5;
/** Most that a page of the record holds, and pages that are counted. */
const EVENTS_PAGE = 1_000;
const MAX_PAGES = 50;

export async function tellOutcome(out: Screen, { files, namespace, session, loop, store }: Outcome): Promise<void> {
  out.title("What is in the store now");
  const usage = await files.usage(namespace);
  out.fact("it holds", `${counted(usage.files, "file")}, ${counted(usage.bytes, "byte")}, stored results included`);
  out.fact("on disk", `${size(await sizeOnDisk(store))}: Postgres, its log, and everything else in the directory`);
  out.fact("the model saw", savedBy(loop));
  if (loop.rawTokens > loop.seenTokens) out.fact("this run's results", `/large_tool_results/${session.sessionId} (no other session sees them)`);
  out.fact("events recorded", await eventCount(files, namespace));
  const events = await files.events(namespace, { limit: SHOWN_EVENTS });
  for (const [index, { at, actor, tool, outcome, path }] of events.entries()) {
    const row = `${at.toISOString().slice(11, 19)}Z  ${actor.padEnd(9)}${(tool ?? "no tool").padEnd(16)}${outcome.padEnd(8)}${shortened(path)}`;
    out.fact(index === 0 ? "the newest" : "", row);
  }
}

function savedBy({ calls, seenTokens, rawTokens }: LoopResult): string {
  const seen = `${counted(seenTokens, "token")} of results in ${counted(calls, "call")}`;
  return rawTokens > seenTokens ? `${seen}; without offload, ${count(rawTokens)}` : seen;
}

/** The path of a stored result without what says nothing to a person. */
const shortened = (path: string): string => path.replace(/([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/(.*)-[0-9a-f]{16}$/, "$1…/$2-…");

async function eventCount(files: PostgresStorage, namespace: Namespace): Promise<string> {
  let [total, after]: [number, string | undefined] = [0, undefined];
  for (let page = 0; page < MAX_PAGES; page++) {
    const events = await files.events(namespace, { limit: EVENTS_PAGE, ...(after === undefined ? {} : { after }) });
    total += events.length;
    after = events.at(-1)?.id;
    if (events.length < EVENTS_PAGE) return count(total);
  }
  return `more than ${count(total)}`;
}

/** Postgres may remove a file meanwhile. */
async function sizeOnDisk(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, entry) => sum + (entry.isFile() ? (lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0), 0);
}
