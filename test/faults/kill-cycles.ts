/** Kill -9 while writing, committing and offloading: of the writing process, of Postgres, of a process with PGlite inside. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Database, driverOf, openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { seededRandom } from "../../packages/hango/src/testing/random.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import type { Query } from "./audit-check.ts";
import { type Answered, runWorkload } from "./workload.ts";
import { type Checked, checkAnswers } from "./workload-check.ts";

export interface KillOptions {
  readonly cycles: number;
  readonly seed: number;
}

export interface KillReport extends Checked {
  readonly cycles: number;
  /** From a kill to the next acknowledged call, where the same clients go on. */
  readonly longestStallMs: number;
}

const CLIENTS = 6;
/** Answers before a kill is due, so that a slow start is not all there is; then so much time. */
const WARM_ANSWERS = 20;
const SHORTEST_MS = 60;
const SPREAD_MS = 400;

const nowhere = { tenantId: "00000000-0000-4000-8000-000000000000", agentId: "00000000-0000-4000-8000-000000000000" };

function queryOf(database: Database): Query {
  return async (text) => (await driverOf(database).run([{ text, values: [] }], { namespace: nowhere })).rows[0] ?? [];
}

function openAsOwner(url: string): Promise<Database> {
  return openDatabase(url, { migrate: true, rowLevelSecurity: false, maxConnections: CLIENTS });
}

/** A writer that is killed after a while. Answers what it printed; a line that was cut is no answer. */
async function killedWriter(url: string, options: { readonly seed: number; readonly afterMs: number }): Promise<readonly Answered[]> {
  const file = fileURLToPath(new URL("./writer-child.ts", import.meta.url));
  const child = spawn(process.execPath, [file, url, randomUUID(), randomUUID(), String(options.seed), String(CLIENTS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  const ended = new Promise<void>((resolve) => child.stdout.once("close", resolve));
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code, signal) => (signal === "SIGKILL" ? resolve() : reject(new Error(`the writer ended by itself with ${code}`))));
    let timer: NodeJS.Timeout | undefined;
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.split("\n", WARM_ANSWERS + 1).length > WARM_ANSWERS) timer ??= setTimeout(() => child.kill("SIGKILL"), options.afterMs);
    });
  });
  await ended;
  return printed
    .slice(0, printed.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line) as Answered);
}

export async function killWriters({ cycles, seed }: KillOptions): Promise<KillReport> {
  const random = seededRandom(seed);
  const server = await startPostgres();
  const database = await openAsOwner(server.url);
  try {
    const answers: Answered[] = [];
    const faults: string[] = [];
    for (let cycle = 0; cycle < cycles; cycle++) {
      answers.push(...(await killedWriter(server.url, { seed: seed + cycle * 1_000, afterMs: SHORTEST_MS + random.below(SPREAD_MS) })));
      await noneRuns(queryOf(database));
      faults.push(...(await checkAnswers(answers, queryOf(database))).faults.map((fault) => `cycle ${cycle + 1}: ${fault}`));
    }
    return { ...(await checkAnswers(answers, queryOf(database))), faults, cycles, longestStallMs: 0 };
  } finally {
    await database.close();
    await server.stop();
  }
}

/** The server carries out what it had received, also when the sender is gone. */
async function noneRuns(query: Query): Promise<void> {
  const text = "select count(*) as n from pg_stat_activity where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()";
  for (let tries = 0; tries < 200; tries++) {
    if (Number((await query(text))[0]?.["n"]) === 0) return;
    await pause(25);
  }
  throw new Error("a call of a killed process runs on");
}

export async function killPglite({ cycles, seed }: KillOptions): Promise<KillReport> {
  const random = seededRandom(seed);
  const base = mkdtempSync(join(tmpdir(), "hango-kill-"));
  const url = `pglite:${join(base, "data")}`;
  try {
    const answers: Answered[] = [];
    const faults: string[] = [];
    let checked: Checked | undefined;
    for (let cycle = 0; cycle < cycles; cycle++) {
      answers.push(...(await killedWriter(url, { seed: seed + cycle * 1_000, afterMs: SHORTEST_MS + random.below(SPREAD_MS * 2) })));
      const database = await openDatabase(url);
      checked = await checkAnswers(answers, queryOf(database));
      faults.push(...checked.faults.map((fault) => `cycle ${cycle + 1}: ${fault}`));
      await database.close();
    }
    return { acknowledged: 0, refused: 0, unavailable: 0, longestMs: 0, ...checked, faults, cycles, longestStallMs: 0 };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

export async function killServer({ cycles, seed }: KillOptions): Promise<KillReport> {
  const random = seededRandom(seed);
  const server = await startPostgres();
  const database = await openAsOwner(server.url);
  try {
    const answers: Answered[] = [];
    const faults: string[] = [];
    let longestStallMs = 0;
    for (let cycle = 0; cycle < cycles; cycle++) {
      const stall = await killWhileWriting({ server, database, answers, seed: seed + cycle * 1_000, random: (below) => random.below(below) });
      longestStallMs = Math.max(longestStallMs, stall);
      faults.push(...(await checkAnswers(answers, queryOf(database))).faults.map((fault) => `cycle ${cycle + 1}: ${fault}`));
    }
    return { ...(await checkAnswers(answers, queryOf(database))), faults, cycles, longestStallMs: Math.round(longestStallMs) };
  } finally {
    await database.close();
    await server.stop();
  }
}

interface Cycle {
  readonly server: PostgresServer;
  readonly database: Database;
  readonly answers: Answered[];
  readonly seed: number;
  readonly random: (below: number) => number;
}

/** Answers how long nothing was acknowledged. */
async function killWhileWriting({ server, database, answers, seed, random }: Cycle): Promise<number> {
  const storage = postgresStorage(database).scope({ tenantId: randomUUID(), agentId: randomUUID() });
  let [over, lastOk, stall] = [false, performance.now(), 0];
  const working = runWorkload({
    storage,
    seed,
    clients: CLIENTS,
    goesOn: () => !over,
    onAnswer: (answered) => {
      answers.push(answered);
      if (answered.answer !== "ok") return;
      stall = Math.max(stall, performance.now() - lastOk);
      lastOk = performance.now();
    },
  });
  await pause(SHORTEST_MS + random(SPREAD_MS));
  await server.kill();
  await pause(random(SPREAD_MS));
  await server.restart();
  await pause(SHORTEST_MS + random(SPREAD_MS));
  over = true;
  await working;
  return stall;
}
