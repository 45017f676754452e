/** Reads a tar archive into a namespace. */
import type { Readable } from "node:stream";
import type { LoadFile, LoadOptions } from "hango/postgres";
import { allOrNothing } from "./all-or-nothing.ts";
import { type ImportReport, type ImportTarget, isMissing } from "./import-tree.ts";
import { readTar } from "./read-tar.ts";
import type { Skipped } from "./walk-tree.ts";

/** Names of what an archive holds and is not stored; the rest is counted. */
const MAX_NAMED = 100;

export interface ImportArchiveOptions {
  readonly load: LoadOptions & { readonly signal: AbortSignal };
  /** Where in the namespace it goes: "" or "docs/". */
  readonly into: string;
  readonly wants: (path: string) => boolean;
  readonly onRead: (sizeBytes: number) => void;
}

/** Errors: those of a load; invalid_content for what is no archive; with `atomic`, invalid_content when it holds what can't be stored. */
export async function importArchive({ files, namespace }: ImportTarget, source: Readable, options: ImportArchiveOptions): Promise<ImportReport> {
  const { load, into, wants, onRead } = options;
  const skipped: Skipped[] = [];
  let [skippedCount, missing, passedBy] = [0, 0, 0];

  async function* placed(): AsyncGenerator<LoadFile, void, undefined> {
    const entries = readTar(source, {
      skipped: (entry) => {
        skippedCount += 1;
        if (isMissing(entry)) missing += 1;
        if (skipped.length < MAX_NAMED) skipped.push(entry);
      },
      wants: (path) => {
        const wanted = wants(path);
        if (!wanted) passedBy += 1;
        return wanted;
      },
      signal: load.signal,
    });
    for await (const file of entries) {
      onRead(file.bytes.length);
      yield { ...file, path: into + file.path };
    }
  }

  const found = load.atomic === true ? allOrNothing(placed(), () => ({ skipped, skippedCount })) : placed();
  const report = await files.load(namespace, found, load);
  return { ...report, skipped, skippedCount, missing: report.refused + missing, leftOut: [], passedBy };
}
