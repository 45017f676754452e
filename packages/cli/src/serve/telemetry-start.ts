import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { withTelemetry } from "hango/telemetry";
import { startSdk } from "../telemetry/start-sdk.ts";
import type { Telemetry, TelemetryParts } from "./telemetry-parts.ts";
import { startGauges } from "./telemetry-gauges.ts";
import { openMetricsPage } from "./telemetry-page.ts";
import { observeRequests } from "./telemetry-request.ts";

/** Starts the SDK with what only a server has: the page for Prometheus, the gauges, a span for each request. */
export async function startTelemetry({ settings, tenancy, pool, logger }: TelemetryParts): Promise<Telemetry> {
  const { otlp, metricsPage, paths } = settings;
  const prometheus = metricsPage === undefined ? undefined : new PrometheusExporter({ preventServerStart: true });
  const { providers, tracer, close } = startSdk(settings, { troubles: logger, readers: prometheus === undefined ? [] : [prometheus] });
  const page =
    prometheus === undefined || metricsPage === undefined
      ? undefined
      : await openMetricsPage(metricsPage, (request, response) => prometheus.getMetricsRequestHandler(request, response));
  const stopGauges = startGauges({ meter: providers.meterProvider.getMeter("hango"), tenancy, pool, logger });
  logger.info({ otlp: [...otlp], ...(page === undefined ? {} : { metrics: page.url }) }, "telemetry is on");
  return {
    observe: (session, { tenantId, id }) => withTelemetry(session, { tenantId, agentId: id, paths, ...providers }),
    observeRequests: (fetch) => (tracer === undefined ? fetch : observeRequests(fetch, tracer)),
    close: async () => {
      await Promise.all([stopGauges(), page?.close()]);
      await close();
    },
  };
}
