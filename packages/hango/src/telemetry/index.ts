/** hango/telemetry: what an agent does with its files as OpenTelemetry traces, metrics and logs; never what is in them. */
export { attribute as telemetryAttributes, type MetricRow, metricTable as telemetryMetrics } from "./names.ts";
export { observeTools } from "./observe-tools.ts";
export type { TelemetryOptions } from "./signals.ts";
export { withTelemetry } from "./with-telemetry.ts";
