/** What a run leaves in the store: counts, the offloaded results, and who wrote what. */
import { type FileSystem, type Namespace, type Session, isHangoError } from "hango";
import type { PostgresStorage } from "hango/postgres";
import { type Screen, counted } from "./screen.ts";

export interface Outcome {
  readonly files: PostgresStorage;
  readonly namespace: Namespace;
  readonly owner: FileSystem;
  readonly session: Session;
}

const SHOWN_EVENTS = 5;

export async function tellOutcome(out: Screen, { files, namespace, owner, session }: Outcome): Promise<void> {
  out.title("What is in the store now");
  const usage = await files.usage(namespace);
  out.fact("it holds", `${counted(usage.files, "file")}, ${counted(usage.bytes, "byte")}`);
  const results = `/large_tool_results/${session.sessionId}`;
  if (await exists(owner, results)) out.fact("this run's results", `${results} (no other session can see them)`);
  const events = await files.events(namespace, { limit: SHOWN_EVENTS });
  for (const [index, { at, actor, tool, outcome, path }] of events.entries()) {
    const row = `${at.toISOString().slice(11, 19)}Z  ${actor.padEnd(9)}${(tool ?? "no tool").padEnd(16)}${outcome.padEnd(8)}${path}`;
    out.fact(index === 0 ? "who wrote last" : "", row);
  }
}

async function exists(fs: FileSystem, path: string): Promise<boolean> {
  try {
    await fs.stat(path);
    return true;
  } catch (error) {
    if (isHangoError(error, "not_found")) return false;
    throw error;
  }
}
