/**
 * What an overlay's commit costs beside one bare multi-row upsert of the same data: `node packages/bench/src/commit.ts [rounds]`.
 * Both take turns on one server of their own, each on rows that no round has touched before; making those is not timed.
 */
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { createOverlay } from "../../hango/src/layers/overlay.ts";
import { postgresStorage } from "../../hango/src/storages/postgres/postgres-storage.ts";
import type { Mutation } from "../../hango/src/storage.ts";
import { type Engine, openEngine } from "./core/engine.ts";
import { summaryOf } from "./stats.ts";

const CHANGES = 1_000;
const FILE_BYTES = 4_096;
const WARMUPS = 2;

const encoder = new TextEncoder();
/** Half of them are there to be modified, a quarter to be deleted, and a quarter is new. */
const existing = CHANGES * 0.75;
const pathOf = (index: number): string => `d${index % 20}/f${index}`;
const textOf = (index: number, word: string): string => `${word} ${index} ${randomUUID()}\n`.repeat(200).slice(0, FILE_BYTES);

const UPSERT = `insert into bench.files (id, tenant_id, agent_id, path, content, size_bytes, content_type, version, last_op, created_at, updated_at)
  select i, $1, $2, p, c, octet_length(c), 'text/plain', 1, i, now(), now() from unnest($3::uuid[], $4::text[], $5::text[]) as t(i, p, c)
  on conflict (tenant_id, agent_id, path) do update set content = excluded.content, size_bytes = excluded.size_bytes, version = bench.files.version + 1, updated_at = now()`;

type Timed = () => Promise<void>;

async function prepareBare({ ask }: Engine): Promise<Timed> {
  const [tenant, agent] = [randomUUID(), randomUUID()];
  const indexes = Array.from({ length: CHANGES }, (_, index) => index);
  const values = (count: number, word: string): Parameters<Engine["ask"]>[1] => {
    const rows = indexes.slice(0, count);
    return [tenant, agent, rows.map(() => randomUUID()), rows.map((index) => `/${pathOf(index)}`), rows.map((index) => textOf(index, word))];
  };
  await ask(UPSERT, values(existing, "old"));
  const changed = values(CHANGES, "new");
  return async () => void (await ask(UPSERT, changed));
}

async function prepareCommit({ database }: Engine): Promise<Timed> {
  const base = postgresStorage(database).scope({ tenantId: randomUUID(), agentId: randomUUID() });
  const bytes = (index: number, word: string): Uint8Array => encoder.encode(textOf(index, word));
  await base.apply?.(Array.from({ length: existing }, (_, index) => ({ kind: "create", path: pathOf(index), bytes: bytes(index, "old") }) as const));
  const { storage, commit } = createOverlay({ base });
  await storage.apply?.(
    Array.from({ length: CHANGES }, (_, index): Mutation => {
      const path = pathOf(index);
      if (index >= existing) return { kind: "create", path, bytes: bytes(index, "new") };
      return index % 3 === 0 ? { kind: "delete", path } : { kind: "modify", path, bytes: bytes(index, "new") };
    }),
  );
  return async () => void (await commit());
}

async function main(rounds: number): Promise<void> {
  const engine = await openEngine("postgres", { tenantId: randomUUID(), agentId: randomUUID() }, "on");
  try {
    await engine.ask("create schema bench", []);
    await engine.ask("create table bench.files (like hango.agent_files including all)", []);
    const samples = { bare: [] as number[], commit: [] as number[] };
    const prepare = { bare: prepareBare, commit: prepareCommit };
    for (let round = -WARMUPS; round < rounds; round++)
      for (const name of ["bare", "commit", "commit", "bare"] as const) {
        const run = await prepare[name](engine);
        const start = performance.now();
        await run();
        if (round >= 0) samples[name].push(performance.now() - start);
      }
    const [bare, commit] = [summaryOf(samples.bare), summaryOf(samples.commit)];
    process.stdout.write(
      `${engine.version}; load average ${loadavg()[0]?.toFixed(1)}\n` +
        `one upsert of ${CHANGES} rows: median ${bare.medianMs.toFixed(1)} ms; commit of ${CHANGES} changes: median ${commit.medianMs.toFixed(1)} ms; ` +
        `ratio ${(commit.medianMs / bare.medianMs).toFixed(2)} (${bare.samples} samples each)\n`,
    );
  } finally {
    await engine.close();
  }
}

await main(Number(process.argv[2] ?? 10));
