/**
 * What telemetry costs on the read path: `npm run bench:telemetry -- [rounds]`. One file of a session on Postgres is read by four sessions
 * in turns: one as it is, the same again (the noise), one observed while no SDK is there, one observed with the SDK at work.
 */
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BatchLogRecordProcessor, InMemoryLogRecordExporter, LoggerProvider } from "@opentelemetry/sdk-logs";
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { FileSystem } from "../../hango/src/filesystem.ts";
import { openSession } from "../../hango/src/session/session.ts";
import type { Session } from "../../hango/src/session/vocabulary.ts";
import { postgresStorage } from "../../hango/src/storages/postgres/postgres-storage.ts";
import { type TelemetryOptions, withTelemetry } from "../../hango/src/telemetry/index.ts";
import { openEngine } from "./core/engine.ts";
import { interleave } from "./interleave.ts";
import { percentile, summaryOf } from "./stats.ts";

/** The share of a bare read that telemetry may add at most. */
const MOST_ON = 1.15;
const WARMUPS = 300;
const PATH = "/notes/a.md";

/** Takes spans and lets them go: what sending costs is the collector's affair, in another turn of the event loop. */
const nowhere: SpanExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: async () => undefined,
};

function sdk(): { readonly options: TelemetryOptions; readonly close: () => Promise<void> } {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracerProvider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter: nowhere })] });
  const loggerProvider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter: new InMemoryLogRecordExporter() })] });
  const reader = new PeriodicExportingMetricReader({ exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE) });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    options: { agentId: randomUUID(), tenantId: randomUUID(), tracerProvider, loggerProvider, meterProvider },
    close: async () => void (await Promise.all([tracerProvider.shutdown(), loggerProvider.shutdown(), meterProvider.shutdown()])),
  };
}

async function main(rounds: number): Promise<void> {
  const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
  const engine = await openEngine("postgres", namespace, "off");
  const { options, close } = sdk();
  try {
    const session = openSession({ storage: postgresStorage(engine.database).scope(namespace), sessionId: randomUUID() });
    await session.fs.write(PATH, "a line of a note, as notes go\n".repeat(100));
    const reading =
      ({ fs }: Session) =>
      async (): Promise<number> =>
        linesOf(fs);
    const samples = await interleave(
      new Map([
        ["off", reading(session)],
        ["off, again", reading({ ...session })],
        ["observed, no SDK", reading(withTelemetry(session))],
        ["observed, with the SDK", reading(withTelemetry({ ...session }, options))],
      ]),
      { rounds, warmups: WARMUPS },
    );
    const off = summaryOf(samples.get("off") ?? []);
    process.stdout.write(`${engine.version}; load average ${loadavg()[0]?.toFixed(1)}; ${off.samples} interleaved reads each\n`);
    for (const [name, times] of samples) {
      const { medianMs, p10Ms, p99Ms } = summaryOf(times);
      const columns = [`p10 ${p10Ms.toFixed(3)} ms`, `p50 ${medianMs.toFixed(3)} ms`, `p99 ${p99Ms.toFixed(2)} ms`];
      process.stdout.write(`${name.padEnd(24)} ${columns.join("   ")}   costs ${costOf(times, samples.get("off") ?? []).toFixed(3)} of off\n`);
    }
    const on = costOf(samples.get("observed, with the SDK") ?? [], samples.get("off") ?? []);
    process.stdout.write(`telemetry on costs ${on.toFixed(3)} of off; the goal is at most ${MOST_ON}: ${on <= MOST_ON ? "kept" : "missed"}\n`);
  } finally {
    await close();
    await engine.close();
  }
}

/** By the median of what the pairs differ: what else the machine does falls on either of a pair, and cancels out. */
function costOf(times: readonly number[], off: readonly number[]): number {
  const differences = times.map((ms, index) => ms - (off[index] ?? Number.NaN));
  return 1 + percentile(differences, 0.5) / percentile(off, 0.5);
}

async function linesOf(fs: FileSystem): Promise<number> {
  return (await fs.read(PATH)).totalLines;
}

await main(Number(process.argv[2] ?? 1_500));
