/** One info line for each file that was written, edited or deleted: who, which file, how many bytes more or less. */
import { SeverityNumber } from "@opentelemetry/api-logs";
import { listPages } from "../contract/derive/pages.ts";
import { isHangoError } from "../errors.ts";
import { toFilePath } from "../path/path.ts";
import type { CallOptions, Storage } from "../storage.ts";
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
  { logger, parse }: Signals,
  storage: Storage,
  change: { readonly path: string; readonly call: CallOptions; readonly recursive?: boolean },
): Promise<number | undefined> {
  const parsed = parse(change.path);
  // An SDK from before it could be asked throws here, and receives every record.
  const isWanted = quietly(() => logger.enabled({ severityNumber: SeverityNumber.INFO, eventName: CHANGED })) ?? true;
  if (parsed === undefined || !isWanted) return undefined;
  const { signal } = change.call;
  const options = signal === undefined ? {} : { signal };
  try {
    if (change.recursive === true) return await sizeBelow(storage, toFilePath(parsed), options);
    const entry = await storage.stat(toFilePath(parsed), options);
    return entry?.kind === "file" ? entry.info.sizeBytes : 0;
  } catch (error) {
    if (isHangoError(error) || signal?.aborted === true) return undefined;
    throw error;
  }
}

async function sizeBelow(storage: Storage, prefix: string, options: CallOptions): Promise<number> {
  let bytes = 0;
  for await (const page of listPages(storage.list, { ...options, prefix })) for (const { sizeBytes } of page) bytes += sizeBytes;
  return bytes;
}
