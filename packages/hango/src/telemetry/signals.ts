/** Where an observed session sends what it sees, and what each signal of it carries. */
import { type Attributes, metrics, type MeterProvider, trace, type Tracer, type TracerProvider } from "@opentelemetry/api";
import { type Logger, type LoggerProvider, logs } from "@opentelemetry/api-logs";
import { checkOptionNames, HangoError, isHangoError } from "../errors.ts";
import { parseAgentPath } from "../path/path.ts";
import { sha256Hex } from "../path/sha256.ts";
import { partsOf } from "../session/parts.ts";
import { safeId } from "../session/safe-text.ts";
import type { Session } from "../session/vocabulary.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { type Instruments, instrumentsOf } from "./instruments.ts";
import { attribute } from "./names.ts";

export interface TelemetryOptions {
  readonly agentId?: string;
  readonly tenantId?: string;
  /** Default "plain". "hashed" keeps names out: the same path has the same hash, and a path that someone guesses can be checked against it. */
  readonly paths?: "plain" | "hashed";
  /** Also tell of an offload as an event of the span, beside the log record. Default true. */
  readonly spanEvents?: boolean;
  /** Default: the ones that are registered with the OpenTelemetry API. */
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
  readonly loggerProvider?: LoggerProvider;
}

export interface Signals {
  readonly tracer: Tracer;
  readonly instruments: Instruments;
  readonly logger: Logger;
  readonly spanEvents: boolean;
  /** Who: on every span and log record, on no metric. */
  readonly identity: Attributes;
  /** Who stands behind a change, for its log record. */
  readonly author: Attributes;
  /** Normalised; undefined for what is no path, which could be any text. */
  readonly parse: (path: string | undefined) => string | undefined;
  /** A parsed path as a signal carries it. */
  readonly show: (path: string) => string;
}

const optionNames: Readonly<Record<keyof TelemetryOptions, true>> = {
  agentId: true,
  tenantId: true,
  paths: true,
  spanEvents: true,
  tracerProvider: true,
  meterProvider: true,
  loggerProvider: true,
};

const SCOPE = "hango";
const HASH_DIGITS = 32;

/** Errors: invalid_argument for an option that can't be, and for what openSession did not make. */
export function createSignals(session: Session, options: TelemetryOptions): Signals {
  checkOptionNames("withTelemetry", options, Object.keys(optionNames));
  const { agentId, tenantId, paths = "plain", spanEvents = true, tracerProvider = trace, meterProvider = metrics, loggerProvider = logs } = options;
  if (paths !== "plain" && paths !== "hashed") throw new HangoError("invalid_argument", `paths is ${JSON.stringify(paths)}; it must be plain or hashed.`);
  const { actor, principal, limits } = partsOf(session);
  const identity: Attributes = {
    ...(agentId === undefined ? {} : { [attribute.agentId]: idOf("agentId", agentId) }),
    ...(tenantId === undefined ? {} : { [attribute.tenantId]: idOf("tenantId", tenantId) }),
    ...(session.sessionId === undefined ? {} : { [attribute.sessionId]: session.sessionId }),
  };
  return {
    tracer: tracerProvider.getTracer(SCOPE),
    instruments: instrumentsOf(meterProvider.getMeter(SCOPE)),
    logger: loggerProvider.getLogger(SCOPE),
    spanEvents,
    identity,
    author: { ...identity, [attribute.actor]: actor, ...(principal === undefined ? {} : { [attribute.principal]: principal }) },
    parse: (path) => (path === undefined ? undefined : parsedOrUndefined(path, limits.maxPathDepth)),
    show: (path) => (paths === "plain" ? path : `sha256:${sha256Hex(encodeUtf8(path)).slice(0, HASH_DIGITS)}`),
  };
}

function idOf(name: string, id: unknown): string {
  if (typeof id !== "string") throw new HangoError("invalid_argument", `${name} is no text.`);
  return safeId(id);
}

function parsedOrUndefined(path: string, maxDepth: number): string | undefined {
  try {
    return parseAgentPath(path, { maxDepth });
  } catch (error) {
    if (isHangoError(error, "invalid_path") || isHangoError(error, "invalid_argument")) return undefined;
    throw error;
  }
}
