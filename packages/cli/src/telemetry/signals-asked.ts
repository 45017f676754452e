/** Which signals the environment asks for. It stands alone, so that a command that tells nobody loads nothing for it. */

export type Signal = "traces" | "metrics" | "logs";
const SIGNALS: readonly Signal[] = ["traces", "metrics", "logs"];

type Environment = Readonly<Record<string, string | undefined>>;

export function isTelemetryDisabled(environment: Environment): boolean {
  return environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true";
}

/** Those that are sent by OTLP: an endpoint is named for them, or they are asked for by name. */
export function signalsAsked(environment: Environment): ReadonlySet<Signal> {
  const isAsked = (signal: Signal): boolean => {
    const name = signal.toUpperCase();
    const exporter = environment[`OTEL_${name}_EXPORTER`];
    const endpoint = environment[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] || environment["OTEL_EXPORTER_OTLP_ENDPOINT"];
    return exporter !== "none" && (Boolean(endpoint) || exporter === "otlp");
  };
  return new Set(isTelemetryDisabled(environment) ? [] : SIGNALS.filter(isAsked));
}
