/** The server's own telemetry: what it sends by OTLP, and the page that Prometheus reads. With neither asked for, nothing is loaded. */
import type { Telemetry, TelemetryParts } from "./telemetry-parts.ts";

/** Undefined when nobody asked for any. Errors: unavailable when the metrics page can't be opened. */
export async function openTelemetry(parts: TelemetryParts): Promise<Telemetry | undefined> {
  const { otlp, metricsPage } = parts.settings;
  if (otlp.size === 0 && metricsPage === undefined) return undefined;
  const { startTelemetry } = await import("./telemetry-start.ts");
  return startTelemetry(parts);
}
