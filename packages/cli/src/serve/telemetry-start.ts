import { context, diag, DiagLogLevel } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { withTelemetry } from "hango/telemetry";
import { version } from "../version.ts";
import type { Logger } from "./log.ts";
import type { Telemetry, TelemetryParts } from "./telemetry-parts.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";
import { startGauges } from "./telemetry-gauges.ts";
import { openMetricsPage } from "./telemetry-page.ts";
import { observeRequests } from "./telemetry-request.ts";

/** Beyond what one sending may take: then the end waits no longer. */
const CLOSE_GRACE_MS = 1_000;

/** Starts the SDK. Providers are handed on and not registered; what holds the context of a call is, since there is one for a process. */
export async function startTelemetry({ settings, tenancy, pool, logger }: TelemetryParts): Promise<Telemetry> {
  const { otlp, metricsPage, paths, metricIntervalMs, sampling, sendTimeoutMs } = settings;
  tellTroubles(logger);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const resource = describeServer();
  const prometheus = metricsPage === undefined ? undefined : new PrometheusExporter({ preventServerStart: true });
  const tracerProvider = new TracerProvider({
    resource,
    sampler: samplerOf(sampling),
    spanProcessors: otlp.has("traces") ? [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ timeoutMillis: sendTimeoutMs }) })] : [],
  });
  const loggerProvider = new LoggerProvider({
    resource,
    processors: otlp.has("logs") ? [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter({ timeoutMillis: sendTimeoutMs }) })] : [],
  });
  const meterProvider = new MeterProvider({
    resource,
    readers: [
      ...(otlp.has("metrics")
        ? [
            new PeriodicExportingMetricReader({
              exporter: new OTLPMetricExporter({ timeoutMillis: sendTimeoutMs }),
              exportIntervalMillis: metricIntervalMs,
              exportTimeoutMillis: Math.min(metricIntervalMs, sendTimeoutMs),
            }),
          ]
        : []),
      ...(prometheus === undefined ? [] : [prometheus]),
    ],
  });
  const page =
    prometheus === undefined || metricsPage === undefined
      ? undefined
      : await openMetricsPage(metricsPage, (request, response) => prometheus.getMetricsRequestHandler(request, response));
  const stopGauges = startGauges({ meter: meterProvider.getMeter("hango"), tenancy, pool, logger });
  logger.info({ otlp: [...otlp], ...(page === undefined ? {} : { metrics: page.url }) }, "telemetry is on");

  // What nobody receives is not made: the rest of a session's signals goes on.
  const providers = {
    meterProvider,
    ...(otlp.has("traces") ? { tracerProvider } : {}),
    ...(otlp.has("logs") ? { loggerProvider } : {}),
  };
  return {
    observe: (session, { tenantId, id }) => withTelemetry(session, { tenantId, agentId: id, paths, ...providers }),
    observeRequests: (fetch) => (otlp.has("traces") ? observeRequests(fetch, tracerProvider.getTracer("hango")) : fetch),
    close: async () => {
      await Promise.all([stopGauges(), page?.close()]);
      const sent = sendLast([tracerProvider, loggerProvider, meterProvider], logger);
      const waitMs = sendTimeoutMs + CLOSE_GRACE_MS;
      if (await isLate(sent, waitMs)) logger.warn({ waitMs }, "the last telemetry was not sent: the collector does not answer");
    },
  };
}

function samplerOf({ name, ratio }: TelemetrySettings["sampling"]): Sampler {
  const [root, isParentBased] = [name.replace("parentbased_", ""), name.startsWith("parentbased_")];
  const sampler = root === "always_off" ? new AlwaysOffSampler() : root === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
  return isParentBased ? new ParentBasedSampler({ root: sampler }) : sampler;
}

function describeServer(): Resource {
  const own = resourceFromAttributes({ "service.name": "hango", "service.version": version() });
  // What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say stands before what we say.
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** What the SDK has to say about sending goes to the server's own log. */
function tellTroubles(logger: Logger): void {
  const tell =
    (level: "warn" | "error") =>
    (message: string): void =>
      logger[level]({ telemetry: message.slice(0, 500) }, "telemetry");
  const silent = (): void => undefined;
  diag.setLogger({ error: tell("error"), warn: tell("warn"), info: silent, debug: silent, verbose: silent }, { logLevel: DiagLogLevel.WARN });
}

async function sendLast(providers: readonly { readonly shutdown: () => Promise<void> }[], logger: Logger): Promise<void> {
  for (const outcome of await Promise.allSettled(providers.map((provider) => provider.shutdown())))
    if (outcome.status === "rejected") logger.warn({ error: outcome.reason }, "the last telemetry was not sent");
}

async function isLate(work: Promise<unknown>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<true>((resolve) => (timer = setTimeout(() => resolve(true), waitMs)));
  const outcome = await Promise.race([work.then(() => false as const), late]);
  clearTimeout(timer);
  return outcome;
}
