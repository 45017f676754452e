/** `node packages/bench/src/import.ts`: the rate of load and dump beside bare SQL that moves the same files, and the memory they take. */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Namespace } from "../../hango/src/storage.ts";
import { openDatabase, postgresStorage } from "../../hango/src/storages/postgres/index.ts";
import pg from "pg";
import { startPostgres } from "../../../test/support/postgres-server.ts";
import { bareExport, bareImport } from "./import/bare.ts";
import { corpusOf } from "./import/corpus.ts";

const DEFAULT_FILES = 2_000;
const ROUNDS = 2;
const MB = 1_000_000;

const files = Number(process.env["HANGO_BENCH_FILES"] ?? DEFAULT_FILES);
const corpus = corpusOf(fileURLToPath(new URL("../../../node_modules", import.meta.url)), files);
const server = await startPostgres({ fsync: "on", shared_buffers: "512MB", max_wal_size: "4GB" });
const database = await openDatabase(server.url, { migrate: true, rowLevelSecurity: false });
const storage = postgresStorage(database);
const client = new pg.Client({ connectionString: server.url });
await client.connect();

globalThis.gc?.();
const before = process.memoryUsage.rss();
let peak = before;
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);

type Work = (namespace: Namespace) => Promise<number>;
async function timed(work: Work, namespace: Namespace): Promise<{ readonly seconds: number; readonly answer: number }> {
  const start = performance.now();
  const answer = await work(namespace);
  return { answer, seconds: (performance.now() - start) / 1000 };
}

const meanOf = (samples: readonly number[]): number => samples.reduce((sum, sample) => sum + sample, 0) / samples.length;

/** ABBA, each import into a namespace of its own, each export of what an import left. */
async function compare(what: string, hango: Work, bare: Work, namespaceOf: () => Namespace): Promise<void> {
  const seconds = { hango: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? (["bare", "hango"] as const) : (["hango", "bare"] as const)) {
      const run = await timed(name === "hango" ? hango : bare, namespaceOf());
      seconds[name].push(run.seconds);
      process.stderr.write(`${what} ${name}: ${run.seconds.toFixed(2)} s, ${(corpus.bytes / MB / run.seconds).toFixed(1)} MB/s\n`);
    }
  }
  const [own, other] = [meanOf(seconds.hango), meanOf(seconds.bare)];
  process.stdout.write(
    `${what}: ${files} files, ${(corpus.bytes / MB).toFixed(0)} MB: hango ${own.toFixed(2)} s, bare ${other.toFixed(2)} s: ${((other / own) * 100).toFixed(0)} % of the bare rate\n`,
  );
}

const imported: Namespace[] = [];
const fresh = (): Namespace => {
  const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
  imported.push(namespace);
  return namespace;
};
const some = (): Namespace => imported[0] ?? fresh();
async function dumpBytes(namespace: Namespace): Promise<number> {
  let bytes = 0;
  for await (const file of storage.dump(namespace)) bytes += file.bytes.length;
  return bytes;
}

try {
  await compare(
    "import",
    async (namespace) => (await storage.load(namespace, corpus.files())).files,
    (namespace) => bareImport(client, namespace, corpus.files()),
    fresh,
  );
  await compare("export", dumpBytes, (namespace) => bareExport(client, namespace), some);
  process.stdout.write(`memory: ${(before / MB).toFixed(0)} MB before, the files themselves included; ${(peak / MB).toFixed(0)} MB at the most\n`);
} finally {
  clearInterval(watch);
  await client.end();
  await database.close();
  await server.stop();
}
