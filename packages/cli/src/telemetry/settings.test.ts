import { describe, expect, it } from "vitest";
import { parseTelemetrySettings } from "./settings.ts";

describe("what is told, and where", () => {
  it("is nothing when no variable asks for it", () => {
    expect(parseTelemetrySettings({ PATH: "/bin" })).toEqual({
      otlp: new Set(),
      paths: "plain",
      sendTimeoutMs: 4_000,
      metricIntervalMs: 60_000,
      sampling: { name: "parentbased_always_on", ratio: 1 },
    });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" }, ["traces", "metrics", "logs"]],
    [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://c:4318/v1/logs" }, ["logs"]],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_METRICS_EXPORTER: "none" }, ["traces", "logs"]],
    [{ OTEL_TRACES_EXPORTER: "otlp" }, ["traces"]],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" }, []],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "" }, []],
  ])("%o sends %o", (environment, signals) => {
    expect([...parseTelemetrySettings(environment).otlp]).toEqual(signals);
  });

  it("opens the page on this machine alone, unless it is told where", () => {
    expect(parseTelemetrySettings({ HANGO_METRICS_PORT: "9464" }).metricsPage).toEqual({ host: "127.0.0.1", port: 9_464 });
    expect(parseTelemetrySettings({ HANGO_METRICS_PORT: "0", HANGO_METRICS_HOST: "::" }).metricsPage).toEqual({ host: "::", port: 0 });
    expect(parseTelemetrySettings({ HANGO_METRICS_PORT: "9464", OTEL_SDK_DISABLED: "TRUE" })).not.toHaveProperty("metricsPage");
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector" }, "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL"],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }, "OTEL_EXPORTER_OTLP_PROTOCOL must be http/json"],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" }, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be http/json"],
    [{ OTEL_METRICS_EXPORTER: "prometheus" }, "OTEL_METRICS_EXPORTER must be otlp or none"],
    [{ OTEL_TRACES_SAMPLER: "jaeger_remote" }, "OTEL_TRACES_SAMPLER must be one of"],
    [{ OTEL_TRACES_SAMPLER_ARG: "1.5" }, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1"],
    [{ HANGO_METRICS_PORT: "65536" }, "HANGO_METRICS_PORT must be a whole number from 0 to 65535"],
    [{ HANGO_METRICS_HOST: "::" }, "HANGO_METRICS_HOST is set without HANGO_METRICS_PORT"],
    [{ HANGO_TELEMETRY_PATHS: "off" }, "HANGO_TELEMETRY_PATHS must be plain or hashed"],
  ])("%o is refused: %s", (environment, said) => {
    expect(() => parseTelemetrySettings(environment)).toThrow(said);
  });
});
