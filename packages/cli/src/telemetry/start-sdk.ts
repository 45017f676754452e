/** The OpenTelemetry SDK as every command of hango uses it: where signals go, how they are sent, and the last sending. */
import { context, diag, DiagLogLevel, type MeterProvider as ApiMeterProvider, type Tracer } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TelemetryOptions } from "hango/telemetry";
import { version } from "../version.ts";
import { isLate } from "./is-late.ts";
import type { TelemetrySettings } from "./settings.ts";

/** Who hears of what goes wrong with the sending, which never reaches the work itself. A server's log is one. */
export interface Troubles {
  readonly warn: (facts: TroubleFacts, what: string) => void;
  readonly error: (facts: TroubleFacts, what: string) => void;
}
export interface TroubleFacts {
  /** What the SDK said. */
  readonly telemetry?: string;
  readonly error?: unknown;
  readonly waitMs?: number;
}

export interface Sdk {
  /** For `withTelemetry`. What nobody receives is not made: the rest of a session's signals goes on. */
  readonly providers: Pick<TelemetryOptions, "tracerProvider" | "loggerProvider"> & { readonly meterProvider: ApiMeterProvider };
  /** Absent when nobody receives spans. */
  readonly tracer?: Tracer;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
  /** How long `close` takes at most. */
  readonly closeMs: number;
}

/** Beyond what one sending may take: then the end waits no longer. */
const CLOSE_GRACE_MS = 1_000;
const MAX_MESSAGE_UNITS = 500;

/** Providers are handed on and not registered; what holds the context of a call is, since there is one for a process. */
export function startSdk(
  settings: TelemetrySettings,
  { troubles, readers = [] }: { readonly troubles: Troubles; readonly readers?: readonly IMetricReader[] },
): Sdk {
  const { otlp, metricIntervalMs, sampling, sendTimeoutMs: timeoutMillis } = settings;
  tellTroubles(troubles);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const resource = describeProcess();
  const tracerProvider = new TracerProvider({
    resource,
    sampler: samplerOf(sampling),
    spanProcessors: otlp.has("traces") ? [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ timeoutMillis }) })] : [],
  });
  const loggerProvider = new LoggerProvider({
    resource,
    processors: otlp.has("logs") ? [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter({ timeoutMillis }) })] : [],
  });
  const sent = otlp.has("metrics")
    ? [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter({ timeoutMillis }),
          exportIntervalMillis: metricIntervalMs,
          exportTimeoutMillis: Math.min(metricIntervalMs, timeoutMillis),
        }),
      ]
    : [];
  const meterProvider = new MeterProvider({ resource, readers: [...sent, ...readers] });
  const closeMs = timeoutMillis + CLOSE_GRACE_MS;
  return {
    providers: {
      meterProvider,
      ...(otlp.has("traces") ? { tracerProvider } : {}),
      ...(otlp.has("logs") ? { loggerProvider } : {}),
    },
    ...(otlp.has("traces") ? { tracer: tracerProvider.getTracer("hango") } : {}),
    close: async () => {
      const last = sendLast([tracerProvider, loggerProvider, meterProvider], troubles);
      if (await isLate(last, closeMs)) troubles.warn({ waitMs: closeMs }, "the last telemetry was not sent: the collector does not answer");
    },
    closeMs,
  };
}

function samplerOf({ name, ratio }: TelemetrySettings["sampling"]): Sampler {
  const [root, isParentBased] = [name.replace("parentbased_", ""), name.startsWith("parentbased_")];
  const sampler = root === "always_off" ? new AlwaysOffSampler() : root === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
  return isParentBased ? new ParentBasedSampler({ root: sampler }) : sampler;
}

function describeProcess(): Resource {
  const own = resourceFromAttributes({ "service.name": "hango", "service.version": version() });
  // What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say stands before what we say.
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** What the SDK has to say about sending. */
function tellTroubles(troubles: Troubles): void {
  const tell =
    (level: "warn" | "error") =>
    (message: string): void =>
      troubles[level]({ telemetry: reasonOf(message).slice(0, MAX_MESSAGE_UNITS) }, "telemetry");
  const silent = (): void => undefined;
  diag.setLogger({ error: tell("error"), warn: tell("warn"), info: silent, debug: silent, verbose: silent }, { logLevel: DiagLogLevel.WARN });
}

/** An error comes as JSON, with its stack and the collector's whole answer. */
function reasonOf(message: string): string {
  if (!message.startsWith("{")) return message;
  try {
    const { message: reason } = JSON.parse(message) as { readonly message?: unknown };
    return typeof reason === "string" && reason !== "" ? reason : message;
  } catch (error) {
    if (error instanceof SyntaxError) return message;
    throw error;
  }
}

async function sendLast(providers: readonly { readonly shutdown: () => Promise<void> }[], troubles: Troubles): Promise<void> {
  for (const outcome of await Promise.allSettled(providers.map((provider) => provider.shutdown())))
    if (outcome.status === "rejected") troubles.warn({ error: outcome.reason }, "the last telemetry was not sent");
}
