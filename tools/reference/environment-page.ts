/** docs/reference/environment.md, from what the library, the command and the server read. */
import { createProgram } from "../../packages/cli/src/program.ts";
import { parseSettings, serveVariables } from "../../packages/cli/src/serve/settings.ts";
import { parseTelemetrySettings, telemetryVariables } from "../../packages/cli/src/telemetry/settings.ts";
import { limitsFrom } from "../../packages/hango/src/limits.ts";
import { markdownTable } from "../markdown-table.ts";
import { limitVariables } from "./limits-page.ts";

type Command = ReturnType<typeof createProgram>;

/** Of the command alone, and no option's own. */
const BESIDE_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["HANGO_APP_ROLE_PASSWORD", "the password that `hango migrate up --app-role` gives the role"],
  ["PGPASSWORD", "the password that a `postgres://` URL leaves out"],
  ["HANGO_MODEL", "the model of `hango agent`, where `--model` is not given"],
  ["HANGO_MODEL_API_KEY", "the key for the server that `hango agent --base-url` names"],
  ["OPENAI_API_KEY", "the key for `openai/…` models"],
  ["AI_GATEWAY_API_KEY", "the key for the AI Gateway"],
  ["NO_COLOR", "any value: no colours"],
]);

const OF_SERVER: ReadonlyMap<string, string> = new Map([
  ["HOST", "the address to listen on"],
  ["PORT", "the port to listen on"],
  ["HANGO_PUBLIC_URL", "where people reach it; with `https://` cookies are marked secure"],
  ["HANGO_TRUSTED_PROXIES", "how many proxies stand before it whose `X-Forwarded-For` is believed"],
  ["HANGO_ALLOW_UNFENCED", "start although row-level security would not hold"],
  ["HANGO_DB_CONNECTIONS", "connections to the database of each process"],
  ["HANGO_MAX_CONNECTIONS", "sockets"],
  ["HANGO_HEADERS_TIMEOUT", "until the headers are here"],
  ["HANGO_REQUEST_TIMEOUT", "until the last byte of the body is here"],
  ["HANGO_KEEP_ALIVE_TIMEOUT", "between two requests of a connection"],
  ["HANGO_IDLE_TIMEOUT", "a socket on which nothing moves"],
  ["HANGO_SHUTDOWN_TIMEOUT", "how long the end waits for requests under way"],
  ["HANGO_LOG_LEVEL", "how much is logged"],
  ["HANGO_LOG_PATHS", "also log the path of each request, which names files"],
  ["HANGO_JWT_ISSUER", "the issuer of tokens"],
  ["HANGO_JWT_AUDIENCE", "their audience"],
  ["HANGO_JWT_JWKS_URL", "where their keys are; the three go together"],
  ["HANGO_JWT_TENANT_CLAIM", "the claim that names the tenant"],
  ["HANGO_JWT_SUBJECT_CLAIM", "the claim that names the person"],
  ["HANGO_JWT_ROLE_CLAIM", "the claim that names the role"],
  ["HANGO_JWT_CLOCK_TOLERANCE", "by how much clocks may differ"],
  ["HANGO_PRUNE_MACHINE_FILES", "delete stored tool results and conversations that are older"],
  ["HANGO_PRUNE_AUDIT", "delete rows of the record that are older"],
  ["HANGO_PRUNE_EVERY", "how often it looks"],
]);

const OF_TELEMETRY: ReadonlyMap<string, string> = new Map([
  ["OTEL_SDK_DISABLED", "`true`: nothing is told to anyone"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "where traces, metrics and logs go"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "where traces go, instead"],
  ["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "where metrics go, instead"],
  ["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "where logs go, instead"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "how they are sent"],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "how traces are sent, instead"],
  ["OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "how metrics are sent, instead"],
  ["OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "how logs are sent, instead"],
  ["OTEL_TRACES_EXPORTER", "whether traces are sent"],
  ["OTEL_METRICS_EXPORTER", "whether metrics are sent"],
  ["OTEL_LOGS_EXPORTER", "whether logs are sent"],
  ["OTEL_TRACES_SAMPLER", "which traces are kept"],
  ["OTEL_TRACES_SAMPLER_ARG", "the share of them, for a sampler by ratio"],
  ["OTEL_EXPORTER_OTLP_TIMEOUT", "milliseconds that one sending may take; the end waits at most two seconds longer"],
  ["OTEL_METRIC_EXPORT_INTERVAL", "milliseconds between two sendings of the metrics"],
  ["HANGO_METRICS_HOST", "the address of the page that Prometheus reads"],
  ["HANGO_METRICS_PORT", "its port; without one there is no page"],
  ["HANGO_TELEMETRY_PATHS", "whether paths are told as they are or hashed"],
]);

/** The variables of options, with the first option's words. */
function ofOptions(command: Command = createProgram()): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { envVar, long, description } of command.options) if (envVar !== undefined) found.set(envVar, `\`${long ?? ""}\`: ${description}`);
  for (const below of command.commands) for (const [name, text] of ofOptions(below)) if (!found.has(name)) found.set(name, text);
  return found;
}

/** What a variable must be, as the code itself says it of a value that can't be. */
function ruleOf(variable: string, parse: (environment: Readonly<Record<string, string>>) => unknown): string {
  try {
    parse({ [variable]: "~" });
    return "any text";
  } catch (error) {
    const said = String((error as Error).message);
    return new RegExp(`^${variable} (must be .*)\\.$`).exec(said)?.[1] ?? "any text";
  }
}

/** Every variable of the page. */
export function environmentVariables(): ReadonlySet<string> {
  return new Set([...limitVariables().keys(), ...ofOptions().keys(), ...BESIDE_OPTIONS.keys(), ...serveVariables, ...telemetryVariables]);
}

export function environmentPage(): string {
  const defaults = limitsFrom({});
  const rowsOf = (names: readonly string[], meanings: ReadonlyMap<string, string>, parse: Parameters<typeof ruleOf>[1]): readonly (readonly string[])[] =>
    names.map((name) => [`\`${name}\``, meanings.get(name) ?? "", ruleOf(name, parse)]);
  return `# Environment

Made from the code by \`node tools/reference-docs.ts\`. A value that can't be stops the process at start, with the variable's name.

## The library

Read once, when it loads; the library itself reads no other. (Its driver \`pg\` reads \`PGPASSWORD\` and its like.)

${markdownTable(
  ["variable", "default", "sets"],
  [...limitVariables()].map(([variable, name]) => [`\`${variable}\``, String(defaults[name]), `[\`${name}\`](limits.md#limits-that-you-may-set)`]),
)}
## The command

${markdownTable(
  ["variable", "meaning"],
  [...ofOptions(), ...BESIDE_OPTIONS].map(([name, text]) => [`\`${name}\``, text]),
)}
## The server

Read by \`hango serve\` beside the above. Defaults, and what each is for: [hango serve in production](../guides/production.md#settings).

${markdownTable(["variable", "meaning", "rule"], rowsOf(serveVariables, OF_SERVER, parseSettings))}
## Telemetry

Read by \`hango serve\`, and by \`hango agent\` and \`hango demo\` when an endpoint is set or an exporter is \`otlp\`; \`HANGO_METRICS_*\` is the server's alone.

${markdownTable(["variable", "meaning", "rule"], rowsOf(telemetryVariables, OF_TELEMETRY, parseTelemetrySettings))}
\`OTEL_SERVICE_NAME\` and \`OTEL_RESOURCE_ATTRIBUTES\` say what the process is called, \`hango\` unless set. The exporters read more of \`OTEL_EXPORTER_OTLP_*\` themselves: headers, compression, certificates.
`;
}
