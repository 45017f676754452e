/** Runs the operations on each engine and at each size. */
import { randomUUID } from "node:crypto";
import { cpus, loadavg, totalmem } from "node:os";
import { isHangoError } from "../../../hango/src/errors.ts";
import { interleave, type Call } from "../interleave.ts";
import { summaryOf } from "../stats.ts";
import { type EngineName, type Fsync, openEngine } from "./engine.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { type Figure, type Place, ratio, type Report } from "./report.ts";
import { makeWorld, type World } from "./world.ts";

export interface CoreOptions {
  readonly engines: readonly EngineName[];
  /** Files in the namespace. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly fsync: Fsync;
  /** Only operations whose name starts with it. */
  readonly only: readonly string[];
  readonly command: string;
  readonly tell: (line: string) => void;
}

/** Scans take this many times fewer rounds than point operations. */
const SCAN_SHARE = 10;
const POINT_WARMUPS = 20;
const SCAN_WARMUPS = 3;

export async function runCore(options: CoreOptions): Promise<Report> {
  const loadBefore = loadavg();
  const engines: Record<string, string> = {};
  const measured: Figure[] = [];
  const timeouts: Place[] = [];
  const wanted = operations.filter(({ name }) => options.only.some((head) => name.startsWith(head)));
  for (const engine of options.engines) {
    for (const files of options.sizes) {
      const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
      const opened = await openEngine(engine, namespace, options.fsync);
      try {
        engines[engine] = opened.version;
        options.tell(`${engine}: filling ${files} files`);
        const world = await makeWorld(opened, namespace, files);
        for (const operation of wanted) {
          const place = { engine, files, operation: operation.name };
          const figures = await measure(world, operation, options.rounds).catch(timedOut);
          if (figures === "timeout") timeouts.push(place);
          else measured.push({ ...place, ...figures });
          options.tell(`${engine}, ${files} files: ${operation.name}: ${figures === "timeout" ? figures : ratio(figures.library, figures.bare).toFixed(2)}`);
        }
      } finally {
        await opened.close();
      }
    }
  }
  const [cpu] = cpus();
  return {
    date: new Date().toISOString(),
    command: options.command,
    machine: {
      cpus: `${cpus().length} × ${cpu?.model ?? "unknown"}`,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
      loadBefore,
      loadAfter: loadavg(),
    },
    engines,
    figures: measured,
    timeouts,
  };
}

/** The library bounds a search where a bare statement runs on; a machine too slow for that has no figure to compare. */
function timedOut(error: unknown): "timeout" {
  if (isHangoError(error, "timeout")) return "timeout";
  throw error;
}

async function measure(world: World, operation: Operation, rounds: number): Promise<Omit<Figure, keyof Place>> {
  const variants = new Map<string, Call>([["bare", await operation.bare(world)]]);
  for (const door of world.doors) variants.set(door.name, await operation.library(world, door));
  const isPoint = operation.kind === "point";
  const samples = await interleave(variants, {
    rounds: isPoint ? rounds : Math.max(1, Math.round(rounds / SCAN_SHARE)),
    warmups: Math.min(rounds, isPoint ? POINT_WARMUPS : SCAN_WARMUPS),
  });
  const summary = (name: string): ReturnType<typeof summaryOf> => summaryOf(samples.get(name) ?? []);
  return { bare: summary("bare"), library: summary("files"), session: summary("session") };
}
