/** The real SDK with exporters in memory: what a backend would have received. */
import { context, type Span } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { InMemoryLogRecordExporter, LoggerProvider, type ReadableLogRecord, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { AggregationTemporality, InMemoryMetricExporter, type MetricData, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TelemetryOptions } from "hango/telemetry";
import { pathsOf } from "./tree.ts";

export interface Recorder {
  readonly providers: Required<Pick<TelemetryOptions, "tracerProvider" | "meterProvider" | "loggerProvider">>;
  readonly spans: () => readonly ReadableSpan[];
  readonly logs: () => readonly ReadableLogRecord[];
  readonly metrics: () => Promise<ReadonlyMap<string, MetricData>>;
  /** Everything that any signal carries, as one text. */
  readonly everything: () => Promise<string>;
}

export function createRecorder(): Recorder {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spans = new InMemorySpanExporter();
  const records = new InMemoryLogRecordExporter();
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: figures, exportIntervalMillis: 3_600_000 });
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  const loggerProvider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter: records })] });
  const meterProvider = new MeterProvider({ readers: [reader] });

  async function metrics(): Promise<ReadonlyMap<string, MetricData>> {
    await reader.forceFlush();
    const last = figures.getMetrics().at(-1);
    return new Map((last?.scopeMetrics ?? []).flatMap((scope) => scope.metrics).map((metric) => [metric.descriptor.name, metric]));
  }

  return {
    providers: { tracerProvider, meterProvider, loggerProvider },
    spans: () => spans.getFinishedSpans(),
    logs: () => records.getFinishedLogRecords(),
    metrics,
    everything: async () => {
      const told = [
        ...spans.getFinishedSpans().map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links })),
        ...records.getFinishedLogRecords().map(({ body, attributes, eventName }) => ({ body, attributes, eventName })),
        ...(await metrics()).values(),
      ];
      return JSON.stringify(told);
    },
  };
}

/** The paths of the spans' tree. */
export function treeOf(spans: readonly ReadableSpan[]): readonly string[] {
  return pathsOf(spans.map((span) => ({ name: span.name, spanId: span.spanContext().spanId, parentSpanId: span.parentSpanContext?.spanId })));
}

export function idsOf(span: Pick<Span, "spanContext">): { readonly traceId: string; readonly spanId: string } {
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId };
}
