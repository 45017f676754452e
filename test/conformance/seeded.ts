/** What every binding shares: how files get into a fresh storage, and how long the random runs are. */
import type { Storage } from "../../packages/hango/src/storage.ts";

const encoder = new TextEncoder();

/** Writes the files a case starts from, at once where the storage can. */
export async function filled(storage: Storage, files: Readonly<Record<string, string>> = {}): Promise<Storage> {
  const mutations = Object.entries(files).map(([path, text]) => ({ kind: "create", path, bytes: encoder.encode(text) }) as const);
  if (storage.apply !== undefined) await storage.apply(mutations);
  else for (const { path, bytes } of mutations) await storage.write(path, bytes);
  return storage;
}

/** Operations of one random sequence. */
const SEQUENCE_LENGTH = 80;
const operations: string | undefined = process.env["HANGO_MODEL_RUNS"];

/** How many random sequences each storage runs; HANGO_MODEL_RUNS says how many operations they have in all. */
export const modelRuns: number = operations === undefined ? 3 : Math.ceil(Number(operations) / SEQUENCE_LENGTH);
