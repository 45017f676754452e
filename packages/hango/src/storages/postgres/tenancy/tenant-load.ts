/** A load under a tenant's quota: files are let through for as long as the sum allows it. */
import { listPages } from "../../../contract/derive/pages.ts";
import type { FileInfo, Storage } from "../../../storage.ts";
import type { Usage } from "../sql/quota.ts";
import type { LoadFile, LoadOptions } from "../postgres-storage.ts";
import { refusalOf } from "../load/chunk.ts";
import { exceeded, exceeds, type Growth } from "./tenant-quota.ts";

type Held = Pick<FileInfo, "sizeBytes" | "updatedAt">;

export interface QuotaGateOptions {
  readonly storage: Pick<Storage, "list">;
  readonly usage: () => Promise<Usage>;
  readonly load: LoadOptions;
}

type Files = AsyncIterable<LoadFile> | Iterable<LoadFile>;

/**
 * Looks once at what is there, before the load has a connection to itself: exact for one writer.
 * What it answers throws quota_exceeded at the first file that is too much, and invalid_argument for what is no file, as the load does.
 * Limits: under a quota, the sizes of all the agent's files are held.
 */
export async function quotaGate({ storage, usage, load }: QuotaGateOptions): Promise<(files: Files) => Files> {
  const used = await usage();
  if (used.maxFiles === undefined && used.maxBytes === undefined) return (files) => files;
  const held = new Map<string, Held>();
  for await (const page of listPages(storage.list, load.signal === undefined ? {} : { signal: load.signal }))
    for (const { path, sizeBytes, updatedAt } of page) held.set(path, { sizeBytes, ...(updatedAt === undefined ? {} : { updatedAt }) });
  return (files) => withinQuota(files, { used, held, load });
}

interface State {
  readonly used: Usage;
  readonly held: Map<string, Held>;
  readonly load: LoadOptions;
}

async function* withinQuota(files: Files, { used, held, load: { overwrite } }: State): AsyncGenerator<LoadFile, void> {
  let grown: Growth = { files: 0, bytes: 0 };
  for await (const file of files) {
    // What can't be stored takes no room, and the load itself says why.
    if (refusalOf(file) !== undefined) {
      yield file;
      continue;
    }
    const there = held.get(file.path);
    if (there === undefined || isWritten(file, there, overwrite)) {
      const bytes = file.bytes.length - (there?.sizeBytes ?? 0);
      const sum = { files: grown.files + (there === undefined ? 1 : 0), bytes: grown.bytes + bytes };
      if ((there === undefined || bytes > 0) && exceeds(used, sum)) throw exceeded(used, file.path);
      grown = sum;
      held.set(file.path, { sizeBytes: file.bytes.length, ...(file.updatedAt === undefined ? {} : { updatedAt: file.updatedAt }) });
    }
    yield file;
  }
}

/** As the load itself decides over a file that is there. */
function isWritten({ updatedAt }: LoadFile, there: Held, overwrite: LoadOptions["overwrite"] = "never"): boolean {
  if (overwrite !== "newer") return overwrite === "always";
  return updatedAt === undefined || there.updatedAt === undefined || updatedAt > there.updatedAt;
}
