/**
 * What one tenant's slow greps do to another tenant's reads: `npm run bench:greps -- [rounds] [greps]`.
 * Both are on one pool of 10 connections of one process, as in the server. Quiet and busy phases take turns, so that whatever
 * else the machine does falls on both alike.
 */
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { createFileSystem } from "../../hango/src/fs/create-file-system.ts";
import { isHangoError } from "../../hango/src/errors.ts";
import type { FileSystem } from "../../hango/src/filesystem.ts";
import { postgresStorage } from "../../hango/src/storages/postgres/postgres-storage.ts";
import { type Engine, openEngine } from "./core/engine.ts";
import { summaryOf } from "./stats.ts";

/** Large enough that none of these greps ends before its timeout. */
const FILES = 8_000;
const FILE_LINES = 600;
/** No text that is required, so every line is gone through; it is in none of them. */
const PATTERN = "([a-z]+ [0-9]+ )+[A-Z]{5}$";
const READS_A_PHASE = 300;
const WARMUP_READS = 100;
/** Between two reads, so that a phase is longer than a grep may take. */
const READ_EVERY_MS = 10;
/** Until the greps that may run do, and the others wait or were turned away. */
const SETTLE_MS = 500;

interface Outcomes {
  readonly count: Map<string, number>;
}

/** Fills a tenant with text to search. */
async function fillNoisy({ database }: Engine): Promise<FileSystem> {
  const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
  const text = Array.from({ length: FILE_LINES }, (_, line) => `order ${line} of customer ${line * 7} was paid in ${line % 30} days`).join("\n");
  const bytes = new TextEncoder().encode(`${text}\n`);
  const files = Array.from({ length: FILES }, (_, index) => ({ path: `d${index % 40}/f${index}.txt`, bytes }));
  await postgresStorage(database).load(namespace, files);
  return createFileSystem(postgresStorage(database).scope(namespace));
}

async function fillQuiet({ database }: Engine): Promise<FileSystem> {
  const files = createFileSystem(postgresStorage(database).scope({ tenantId: randomUUID(), agentId: randomUUID() }));
  for (let index = 0; index < 50; index++) await files.write(`/notes/${index}.md`, `note ${index}\n`.repeat(100));
  return files;
}

/** Keeps `greps` searches going until the signal, each again as soon as it has ended. */
async function keepGrepping(
  files: FileSystem,
  { greps, signal, outcomes }: { readonly greps: number; readonly signal: AbortSignal; readonly outcomes: Outcomes },
): Promise<void> {
  const one = async (): Promise<void> => {
    while (!signal.aborted) {
      const outcome = await files.grep(PATTERN, { signal }).then(
        () => "done",
        (error: unknown) =>
          signal.aborted ? "stopped" : isHangoError(error) ? (error.details?.["busy"] === undefined ? error.code : "turned away") : "failed",
      );
      outcomes.count.set(outcome, (outcomes.count.get(outcome) ?? 0) + 1);
      // A client that is turned away asks again in a moment.
      if (outcome === "turned away") await pause(100);
    }
  };
  await Promise.all(Array.from({ length: greps }, one));
}

async function timeReads(files: FileSystem, count: number): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let read = 0; read < count; read++) {
    const start = performance.now();
    await files.read(`/notes/${read % 50}.md`);
    samples.push(performance.now() - start);
    await pause(READ_EVERY_MS);
  }
  return samples;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function main(rounds: number, greps: number): Promise<void> {
  const engine = await openEngine("postgres", { tenantId: randomUUID(), agentId: randomUUID() }, "off");
  try {
    const [noisy, quiet] = [await fillNoisy(engine), await fillQuiet(engine)];
    const outcomes: Outcomes = { count: new Map() };
    const [without, beside]: [number[], number[]] = [[], []];
    await timeReads(quiet, WARMUP_READS);
    for (let round = 0; round < rounds; round++) {
      without.push(...(await timeReads(quiet, READS_A_PHASE)));
      const stop = new AbortController();
      const grepping = keepGrepping(noisy, { greps, signal: stop.signal, outcomes });
      await pause(SETTLE_MS);
      beside.push(...(await timeReads(quiet, READS_A_PHASE)));
      stop.abort();
      await grepping;
    }
    const [alone, loaded] = [summaryOf(without), summaryOf(beside)];
    const shown = (name: string, { samples, medianMs, p99Ms }: typeof alone): string =>
      `${name.padEnd(34)} p50 ${medianMs.toFixed(2).padStart(7)} ms   p99 ${p99Ms.toFixed(2).padStart(7)} ms   (${samples} reads)\n`;
    process.stdout.write(
      `${engine.version}; load average ${loadavg()[0]?.toFixed(1)}\n` +
        shown("reads without greps", alone) +
        shown(`reads beside ${greps} slow greps`, loaded) +
        `ratio of p99 ${(loaded.p99Ms / alone.p99Ms).toFixed(2)} (the goal is at most 5), of p50 ${(loaded.medianMs / alone.medianMs).toFixed(2)}\n` +
        `the greps: ${[...outcomes.count].map(([outcome, count]) => `${count} ${outcome}`).join(", ")}\n`,
    );
  } finally {
    await engine.close();
  }
}

await main(Number(process.argv[2] ?? 6), Number(process.argv[3] ?? 30));
