/** Clients that write, delete, commit and offload as fast as they are answered, and say which calls were acknowledged. */
import { isHangoError } from "../../packages/hango/src/errors.ts";
import { openSession } from "../../packages/hango/src/session/session.ts";
import type { FileInfo, Mutation, Origin, Storage, Version } from "../../packages/hango/src/storage.ts";
import { encodeUtf8 } from "../../packages/hango/src/text/utf8.ts";
import { type Random, seededRandom } from "../../packages/hango/src/testing/random.ts";

/** One call and what was answered. Its id stands in the record as `toolCallId`. */
export interface Answered {
  readonly id: string;
  readonly kind: "write" | "delete" | "apply" | "offload";
  /** "ok", or the code of the refusal. */
  readonly answer: string;
  /** How many rows of the record an ok stands for. */
  readonly rows: number;
  readonly version?: Version;
  readonly ms: number;
}

export interface Workload {
  readonly storage: Storage;
  readonly seed: number;
  readonly clients: number;
  readonly onAnswer: (answered: Answered) => void;
  readonly goesOn: () => boolean;
}

/** Files of one commit, which always have one content or none. */
export const GROUP_SIZE = 5;
const PATHS_EACH = 4;
const PAUSE_AFTER_FAILURE_MS = 20;
const SESSION_ID = "5e551000-0000-4000-8000-000000000002";

/** Runs until `goesOn` says no. Errors: whatever has no code of hango's, which is a fault. */
export async function runWorkload(workload: Workload): Promise<void> {
  await Promise.all(Array.from({ length: workload.clients }, (_, client) => runClient(workload, client)));
}

interface Client {
  readonly workload: Workload;
  readonly client: number;
  readonly random: Random;
  readonly seen: Map<string, Version>;
  groupIsThere: boolean;
}

async function runClient(workload: Workload, client: number): Promise<void> {
  const state: Client = { workload, client, random: seededRandom(workload.seed + client), seen: new Map(), groupIsThere: false };
  for (let n = 1; workload.goesOn(); n++) {
    const call = callOf(state, `${workload.seed}-${client}-${n}`);
    const start = performance.now();
    let answered: Answered;
    try {
      answered = { ...(await call.run()), id: call.id, kind: call.kind, ms: performance.now() - start };
    } catch (error) {
      if (!isHangoError(error)) throw error;
      answered = { id: call.id, kind: call.kind, answer: error.code, rows: 0, ms: performance.now() - start };
    }
    workload.onAnswer(answered);
    if (answered.answer !== "ok") {
      await refresh(state);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
    }
  }
}

interface Call {
  readonly id: string;
  readonly kind: Answered["kind"];
  readonly run: () => Promise<Pick<Answered, "answer" | "rows" | "version">>;
}

function callOf(state: Client, id: string): Call {
  const { random, client } = state;
  const dice = random.below(20);
  if (dice < 3) return { id, kind: "apply", run: () => commit(state, id) };
  if (dice < 4) return { id, kind: "offload", run: () => offload(state, id) };
  const path = `c${client}/f${random.below(PATHS_EACH)}`;
  if (dice < 8) return { id, kind: "delete", run: () => remove(state, path, id) };
  return { id, kind: "write", run: () => write(state, path, id) };
}

const originOf = (id: string): { readonly origin: Origin } => ({ origin: { actor: "operator", toolCallId: id } });
const content = (id: string, random: Random): Uint8Array => encodeUtf8(`${id}\n`.repeat(1 + random.below(200)));

async function write({ workload, random, seen }: Client, path: string, id: string): Promise<{ answer: string; rows: number; version: Version }> {
  const known = seen.get(path);
  const ifVersion = random.below(3) === 0 ? undefined : (known ?? "absent");
  const info = await workload.storage.write(path, content(id, random), { ...originOf(id), ...(ifVersion === undefined ? {} : { ifVersion }) });
  seen.set(path, info.version);
  return { answer: "ok", rows: 1, version: info.version };
}

async function remove({ workload, random, seen }: Client, path: string, id: string): Promise<{ answer: string; rows: number }> {
  const known = random.below(2) === 0 ? undefined : seen.get(path);
  await workload.storage.delete(path, { ...originOf(id), ...(known === undefined ? {} : { ifVersion: known }) });
  seen.delete(path);
  return { answer: "ok", rows: 1 };
}

async function commit(state: Client, id: string): Promise<{ answer: string; rows: number }> {
  const { workload, client, random } = state;
  const bytes = content(id, random);
  const paths = Array.from({ length: GROUP_SIZE }, (_, at) => `g${client}/${at}`);
  const kind = state.groupIsThere ? (random.below(4) === 0 ? "delete" : "modify") : "create";
  const mutations = paths.map((path): Mutation => (kind === "delete" ? { kind, path } : { kind, path, bytes }));
  await workload.storage.apply?.(mutations, originOf(id));
  state.groupIsThere = kind !== "delete";
  return { answer: "ok", rows: GROUP_SIZE };
}

async function offload({ workload }: Client, id: string): Promise<{ answer: string; rows: number }> {
  const session = openSession({ storage: workload.storage, sessionId: SESSION_ID, limits: { toolResultTokens: 1_000 } });
  const result = await session.offload({ isError: false, forModel: `${id} a large result\n`.repeat(2_000) }, { toolCallId: id, toolName: "query" });
  const offload = result.details?.["offload"] as { readonly saved: boolean; readonly error?: string } | undefined;
  return offload?.saved === true ? { answer: "ok", rows: 1 } : { answer: offload?.error ?? "unavailable", rows: 0 };
}

/** After a failure nothing is sure; the client looks, as a model would. Before the database is back it goes on with what it knew. */
async function refresh(state: Client): Promise<void> {
  const { workload, client, seen } = state;
  try {
    const [own, group] = [await workload.storage.list({ prefix: `c${client}` }), await workload.storage.list({ prefix: `g${client}` })];
    seen.clear();
    for (const info of own) remember(seen, info);
    state.groupIsThere = group.length > 0;
  } catch (error) {
    if (!isHangoError(error, "unavailable") && !isHangoError(error, "timeout")) throw error;
  }
}

function remember(seen: Map<string, Version>, { path, version }: FileInfo): void {
  seen.set(path, version);
}
