/** What is told and where: the standard OTEL_* variables for OTLP, and for the server HANGO_METRICS_* for a page that Prometheus reads. */
import { z } from "@hono/zod-openapi";
import { HangoError } from "hango";
import { isTelemetryDisabled, type Signal, signalsAsked } from "./signals-asked.ts";

export interface TelemetrySettings {
  /** The signals that are sent by OTLP. */
  readonly otlp: ReadonlySet<Signal>;
  /** The server's, on a listener of its own, since the figures name tenants: absent, there is none. */
  readonly metricsPage?: { readonly host: string; readonly port: number };
  readonly paths: "plain" | "hashed";
  readonly sampling: { readonly name: (typeof SAMPLERS)[number]; readonly ratio: number };
  /** How long one sending may take, retries included; the end of the process waits little longer. Units: milliseconds. */
  readonly sendTimeoutMs: number;
  /** Units: milliseconds between two sendings of the metrics. */
  readonly metricIntervalMs: number;
}

const SAMPLERS = ["always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const;
const MAX_TIMER_MS = 2 ** 31 - 1;
const exporter = z.enum(["otlp", "none"], "must be otlp or none; Prometheus reads the page that HANGO_METRICS_PORT opens");
const protocol = z.literal("http/json", "must be http/json, the one that is spoken here (collectors take it on port 4318)").optional();
const url = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be a URL such as http://127.0.0.1:4318");
const whole = (least: number, most: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^\d{1,10}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);

const variables = z.object({
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: protocol,
  OTEL_TRACES_EXPORTER: exporter.optional(),
  OTEL_METRICS_EXPORTER: exporter.optional(),
  OTEL_LOGS_EXPORTER: exporter.optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(", ")}`).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, "must be a number from 0 to 1")
    .transform(Number)
    .optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: whole(1, 600_000).optional(),
  OTEL_METRIC_EXPORT_INTERVAL: whole(100, MAX_TIMER_MS).optional(),
  HANGO_METRICS_HOST: z.string().optional(),
  HANGO_METRICS_PORT: whole(0, 65_535).optional(),
  HANGO_TELEMETRY_PATHS: z.enum(["plain", "hashed"], "must be plain or hashed").optional(),
});

/** The names that are read here, for the documentation. The exporters read more of OTEL_EXPORTER_OTLP_* themselves: headers, compression, certificates. */
export const telemetryVariables: readonly string[] = Object.keys(variables.shape);

/** Errors: invalid_argument names every variable that can't be. */
export function parseTelemetrySettings(environment: Readonly<Record<string, string | undefined>>): TelemetrySettings {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  const parsed = variables.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new HangoError("invalid_argument", parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`).join(" "));
  const read = parsed.data;
  if (read.HANGO_METRICS_HOST !== undefined && read.HANGO_METRICS_PORT === undefined)
    throw new HangoError("invalid_argument", "HANGO_METRICS_HOST is set without HANGO_METRICS_PORT, which opens the page.");
  return {
    otlp: signalsAsked(environment),
    ...(read.HANGO_METRICS_PORT === undefined || isTelemetryDisabled(environment)
      ? {}
      : { metricsPage: { host: read.HANGO_METRICS_HOST ?? "127.0.0.1", port: read.HANGO_METRICS_PORT } }),
    paths: read.HANGO_TELEMETRY_PATHS ?? "plain",
    sampling: { name: read.OTEL_TRACES_SAMPLER ?? "parentbased_always_on", ratio: read.OTEL_TRACES_SAMPLER_ARG ?? 1 },
    // Shorter than the standard's 10 s, after which a supervisor has lost patience with a process that ends.
    sendTimeoutMs: read.OTEL_EXPORTER_OTLP_TIMEOUT ?? 4_000,
    metricIntervalMs: read.OTEL_METRIC_EXPORT_INTERVAL ?? 60_000,
  };
}
