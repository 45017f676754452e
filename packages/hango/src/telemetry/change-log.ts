/** One info line for each file that was written, edited or deleted: who, which file, how many bytes more or less. */
import { SeverityNumber } from "@opentelemetry/api-logs";
import { isHangoError, shownPath } from "../errors.ts";
import { type DeleteCall, type TreeLook, withTreeLook } from "../fs/tree-look.ts";
import { toFilePath } from "../path/path.ts";
import type { CallOptions, Mutation, Storage } from "../storage.ts";
import { attribute, CHANGED } from "./names.ts";
import { quietly } from "./quietly.ts";
import type { Signals } from "./signals.ts";

export interface LoggedChange {
  readonly op: "write" | "edit" | "delete";
  /** Agent form. */
  readonly path: string;
  /** Undefined when it could not be told. */
  readonly bytesDelta: number | undefined;
  readonly recursive?: boolean;
}

/** Writes the line. It carries the trace that is active. */
export function logChange(signals: Signals, { op, path, bytesDelta, recursive = false }: LoggedChange): void {
  const parsed = signals.parse(path);
  if (parsed === undefined) return;
  const shown = signals.show(parsed);
  const more = bytesDelta === undefined ? "" : ` (${bytesDelta < 0 ? "" : "+"}${bytesDelta} bytes)`;
  signals.logger.emit({
    eventName: CHANGED,
    severityNumber: SeverityNumber.INFO,
    severityText: "INFO",
    body: `${op} ${shown}${more}`,
    attributes: {
      ...signals.author,
      [attribute.op]: op,
      [attribute.path]: shown,
      ...(bytesDelta === undefined ? {} : { [attribute.bytesDelta]: bytesDelta }),
      ...(recursive ? { [attribute.recursive]: true } : {}),
    },
  });
}

export function delta(before: number | undefined, after: number): number | undefined {
  return before === undefined ? undefined : after - before;
}

/**
 * How many bytes stand at a path before it changes: a question of its own, asked only while log records are wanted. It is exact for a
 * change over a version; for one without, another writer may come between. Undefined when it can't be told, which the change itself will say.
 */
export async function sizeBefore(
  signals: Signals,
  storage: Storage,
  change: { readonly path: string; readonly call: CallOptions },
): Promise<number | undefined> {
  const parsed = signals.parse(change.path);
  if (parsed === undefined || !areWanted(signals)) return undefined;
  const { signal } = change.call;
  try {
    const entry = await storage.stat(toFilePath(parsed), signal === undefined ? {} : { signal });
    return entry?.kind === "file" ? entry.info.sizeBytes : 0;
  } catch (error) {
    if (isHangoError(error) || signal?.aborted === true) return undefined;
    throw error;
  }
}

/** Changes of one `apply` whose sizes before are asked for, one after another, before it starts. */
export const MAX_SIZED_CHANGES = 100;

/** The sizes before each change of an `apply`: a file that is created had none. Of more than MAX_SIZED_CHANGES others none is asked for. */
export async function sizesBefore(
  signals: Signals,
  storage: Storage,
  change: { readonly mutations: readonly Mutation[]; readonly call: CallOptions },
): Promise<ReadonlyMap<string, number>> {
  const { mutations, call } = change;
  const sizes = new Map<string, number>();
  const others = mutations.filter(({ kind }) => kind !== "create");
  for (const { kind, path } of mutations) if (kind === "create") sizes.set(path, 0);
  if (others.length > MAX_SIZED_CHANGES) return sizes;
  for (const { path } of others) {
    const size = await sizeBefore(signals, storage, { path: shownPath(path), call });
    if (size !== undefined) sizes.set(path, size);
  }
  return sizes;
}

/** A recursive delete that tells how many bytes it takes. It lists its files itself, once it is allowed, so nothing more is asked. */
export function sizedDelete<T extends DeleteCall>(signals: Signals, call: T): { readonly call: T; readonly bytes: () => number | undefined } {
  if (!areWanted(signals)) return { call, bytes: () => undefined };
  let bytes: number | undefined;
  const look: TreeLook = async ({ files }) => {
    bytes = files.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
  };
  return { call: withTreeLook(call, look), bytes: () => bytes };
}

/** An SDK from before it could be asked throws here, and receives every record. */
function areWanted({ logger }: Signals): boolean {
  return quietly(() => logger.enabled({ severityNumber: SeverityNumber.INFO, eventName: CHANGED })) ?? true;
}
