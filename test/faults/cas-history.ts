/** Many clients on few paths: what each call asked, when, and what it was answered. */
import { isHangoError } from "../../packages/hango/src/errors.ts";
import { seededRandom, type Random } from "../../packages/hango/src/testing/random.ts";
import type { Origin, Storage, Version } from "../../packages/hango/src/storage.ts";
import { encodeUtf8 } from "../../packages/hango/src/text/utf8.ts";

/** What a call did to its path, or only saw there; `undefined` is "no file". */
export type Effect =
  | { readonly kind: "wrote"; readonly version: Version }
  | { readonly kind: "deleted" }
  | { readonly kind: "saw"; readonly version: Version | undefined }
  /** The outcome is open: unavailable. */
  | { readonly kind: "open" };

export interface Call {
  readonly id: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** The version it was conditional on. */
  readonly expected?: Version | "absent";
  readonly effect: Effect;
}

export interface HistoryOptions {
  readonly seed: number;
  readonly clients: number;
  readonly operations: number;
  readonly paths: number;
}

/** Errors: any refusal that the call can't have. */
export async function recordHistory(storage: Storage, { seed, clients, operations, paths }: HistoryOptions): Promise<readonly Call[]> {
  const history: Call[] = [];
  const seen = new Map<string, Version | undefined>();
  let left = operations;
  const client = async (number: number): Promise<void> => {
    const random = seededRandom(seed + number);
    while (left > 0) {
      left -= 1;
      const call = await oneCall(storage, { random, path: `p${random.below(paths)}`, id: `${number}-${left}`, seen });
      history.push(call);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return history;
}

interface Step {
  readonly random: Random;
  readonly path: string;
  readonly id: string;
  /** What any client saw last: as a rule current, often stale by the time it is used. */
  readonly seen: Map<string, Version | undefined>;
}

async function oneCall(storage: Storage, step: Step): Promise<Call> {
  const { random, path, id, seen } = step;
  const known = seen.get(path);
  const dice = random.below(10);
  const expected = dice < 5 ? (known ?? "absent") : dice < 6 ? "absent" : undefined;
  const isDelete = dice === 4 || dice === 8;
  const condition = expected === undefined || (isDelete && expected === "absent") ? {} : { expected };
  const start = performance.now();
  const effect = await (dice === 9 ? look(storage, path) : isDelete ? remove(storage, step, condition.expected) : write(storage, step, condition.expected));
  const end = performance.now();
  if (effect.kind !== "open") seen.set(path, effect.kind === "deleted" ? undefined : effect.version);
  return { id, path, start, end, effect, ...(dice === 9 ? {} : condition) };
}

const originOf = (id: string): { readonly origin: Origin } => ({ origin: { actor: "operator", toolCallId: id } });

async function look(storage: Storage, path: string): Promise<Effect> {
  const entry = await storage.stat(path);
  return { kind: "saw", version: entry?.kind === "file" ? entry.info.version : undefined };
}

async function write(storage: Storage, { path, id, random }: Step, ifVersion: Version | undefined): Promise<Effect> {
  try {
    const bytes = encodeUtf8(id.repeat(1 + random.below(20)));
    const { version } = await storage.write(path, bytes, { ...originOf(id), ...(ifVersion === undefined ? {} : { ifVersion }) });
    return { kind: "wrote", version };
  } catch (error) {
    return refused(error, ifVersion === "absent" ? ["already_exists"] : ifVersion === undefined ? [] : ["conflict"]);
  }
}

async function remove(storage: Storage, { path, id }: Step, ifVersion: Version | undefined): Promise<Effect> {
  try {
    await storage.delete(path, { ...originOf(id), ...(ifVersion === undefined ? {} : { ifVersion }) });
    return { kind: "deleted" };
  } catch (error) {
    return refused(error, ifVersion === undefined ? ["not_found"] : ["conflict"]);
  }
}

function refused(error: unknown, expected: readonly string[]): Effect {
  if (!isHangoError(error)) throw error;
  if (error.code === "unavailable") return { kind: "open" };
  if (!expected.includes(error.code)) throw error;
  return { kind: "saw", version: error.details?.["currentVersion"] as Version | undefined };
}
