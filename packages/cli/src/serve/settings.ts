/** How the server is set: the command's options over the environment. A bad value stops it before anything is opened. */
import { z } from "@hono/zod-openapi";
import { InvalidArgumentError } from "commander";
import { HangoError } from "hango";
import { parseAge } from "../size.ts";

export interface JwtSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: URL;
  /** Names of the claims. */
  readonly claims: { readonly tenant: string; readonly subject: string; readonly role: string };
  /** Units: seconds. */
  readonly clockToleranceS: number;
}

export interface ServeSettings {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where people reach it, behind a proxy that ends TLS: https makes cookies secure. */
  readonly publicUrl?: URL;
  /** How many proxies stand before it whose X-Forwarded-For is believed. */
  readonly trustedProxies: number;
  /** Serve although the database alone would not keep tenants apart. */
  readonly allowUnfenced: boolean;
  readonly databaseConnections: number;
  readonly maxConnections: number;
  readonly headersTimeoutMs: number;
  /** Until the last byte of the body is here. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** A socket on which nothing moves. */
  readonly idleTimeoutMs: number;
  readonly shutdownMs: number;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Also log the path of a request, which names files. */
  readonly logPaths: boolean;
  readonly jwt?: JwtSettings;
  readonly pruneMachineFilesMs?: number;
  readonly pruneAuditMs?: number;
  readonly pruneEveryMs: number;
}

/** What commander already read from the command line; each stands before its variable. */
export interface ServeOptions {
  readonly host?: string;
  readonly port?: string;
  readonly allowUnfenced?: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The longest a timer can be set to. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const whole = (least: number, most: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);

const age = (leastMs: number, mostMs: number = Number.MAX_SAFE_INTEGER): z.ZodType<number> =>
  z.string().transform((text, context) => {
    const ms = ageOf(text);
    if (ms !== undefined && ms >= leastMs && ms <= mostMs) return ms;
    const range = mostMs === Number.MAX_SAFE_INTEGER ? `at least ${shownAge(leastMs)}` : `from ${shownAge(leastMs)} to ${shownAge(mostMs)}`;
    context.addIssue({ code: "custom", message: `must be a time such as 30s, 90m, 12h or 30d, ${range}` });
    return z.NEVER;
  });

const flag = z.enum(["0", "1", "false", "true"], "must be 1, 0, true or false").transform((text) => text === "1" || text === "true");
const claim = z.string().max(256, "must be the name of a claim");

const variables = z.object({
  HOST: z.string().optional(),
  PORT: whole(0, 65_535).optional(),
  HANGO_PUBLIC_URL: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be a URL such as https://files.example.com")
    .transform((text) => new URL(text))
    .optional(),
  HANGO_TRUSTED_PROXIES: whole(0, 10).optional(),
  HANGO_ALLOW_UNFENCED: flag.optional(),
  HANGO_DB_CONNECTIONS: whole(1, 1_000).optional(),
  HANGO_MAX_CONNECTIONS: whole(1, 100_000).optional(),
  HANGO_HEADERS_TIMEOUT: age(1_000, 10 * MINUTE_MS).optional(),
  HANGO_REQUEST_TIMEOUT: age(1_000, 60 * MINUTE_MS).optional(),
  HANGO_KEEP_ALIVE_TIMEOUT: age(1_000, 60 * MINUTE_MS).optional(),
  HANGO_IDLE_TIMEOUT: age(1_000, 60 * MINUTE_MS).optional(),
  HANGO_SHUTDOWN_TIMEOUT: age(1_000, 60 * MINUTE_MS).optional(),
  HANGO_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"], "must be debug, info, warn, error or silent").optional(),
  HANGO_LOG_PATHS: flag.optional(),
  HANGO_JWT_ISSUER: z.string().max(2_048, "is too long").optional(),
  HANGO_JWT_AUDIENCE: z.string().max(2_048, "is too long").optional(),
  HANGO_JWT_JWKS_URL: z
    .string()
    .refine(isKeysUrl, "must be an https:// URL (http:// is for this machine alone)")
    .transform((text) => new URL(text))
    .optional(),
  HANGO_JWT_TENANT_CLAIM: claim.optional(),
  HANGO_JWT_SUBJECT_CLAIM: claim.optional(),
  HANGO_JWT_ROLE_CLAIM: claim.optional(),
  HANGO_JWT_CLOCK_TOLERANCE: age(0, 5 * MINUTE_MS).optional(),
  HANGO_PRUNE_MACHINE_FILES: age(MINUTE_MS).optional(),
  HANGO_PRUNE_AUDIT: age(DAY_MS).optional(),
  HANGO_PRUNE_EVERY: age(1_000, MAX_TIMER_MS).optional(),
});

type Variables = z.infer<typeof variables>;

/** The names that the server reads, for the documentation. */
export const serveVariables: readonly string[] = Object.keys(variables.shape);

/** Errors: invalid_argument names every variable that can't be. */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>, options: ServeOptions = {}): ServeSettings {
  // Set to nothing is not set, as compose files and shells write it.
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  const over = Object.entries({ HOST: options.host, PORT: options.port }).filter(([, value]) => value !== undefined);
  const parsed = variables.safeParse(Object.fromEntries([...given, ...over]));
  if (!parsed.success) throw refusal(parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`));
  const read = parsed.data;
  const headersTimeoutMs = read.HANGO_HEADERS_TIMEOUT ?? 10_000;
  const requestTimeoutMs = read.HANGO_REQUEST_TIMEOUT ?? 30_000;
  if (requestTimeoutMs < headersTimeoutMs) throw refusal(["HANGO_REQUEST_TIMEOUT must not be shorter than HANGO_HEADERS_TIMEOUT."]);
  const jwt = jwtOf(read);
  return {
    host: read.HOST ?? "127.0.0.1",
    port: read.PORT ?? 4264,
    ...(read.HANGO_PUBLIC_URL === undefined ? {} : { publicUrl: read.HANGO_PUBLIC_URL }),
    trustedProxies: read.HANGO_TRUSTED_PROXIES ?? 0,
    allowUnfenced: options.allowUnfenced ?? read.HANGO_ALLOW_UNFENCED ?? false,
    databaseConnections: read.HANGO_DB_CONNECTIONS ?? 10,
    maxConnections: read.HANGO_MAX_CONNECTIONS ?? 1_000,
    headersTimeoutMs,
    requestTimeoutMs,
    keepAliveTimeoutMs: read.HANGO_KEEP_ALIVE_TIMEOUT ?? 65_000,
    idleTimeoutMs: read.HANGO_IDLE_TIMEOUT ?? 2 * MINUTE_MS,
    shutdownMs: read.HANGO_SHUTDOWN_TIMEOUT ?? 10_000,
    logLevel: read.HANGO_LOG_LEVEL ?? "info",
    logPaths: read.HANGO_LOG_PATHS ?? false,
    ...(jwt === undefined ? {} : { jwt }),
    ...(read.HANGO_PRUNE_MACHINE_FILES === undefined ? {} : { pruneMachineFilesMs: read.HANGO_PRUNE_MACHINE_FILES }),
    ...(read.HANGO_PRUNE_AUDIT === undefined ? {} : { pruneAuditMs: read.HANGO_PRUNE_AUDIT }),
    pruneEveryMs: read.HANGO_PRUNE_EVERY ?? 60 * MINUTE_MS,
  };
}

/** All three or none: a token whose issuer or audience nobody checks is anybody's. */
function jwtOf(read: Variables): JwtSettings | undefined {
  const { HANGO_JWT_ISSUER: issuer, HANGO_JWT_AUDIENCE: audience, HANGO_JWT_JWKS_URL: jwksUrl } = read;
  const missing = Object.entries({ HANGO_JWT_ISSUER: issuer, HANGO_JWT_AUDIENCE: audience, HANGO_JWT_JWKS_URL: jwksUrl }).filter(
    ([, value]) => value === undefined,
  );
  if (issuer === undefined || audience === undefined || jwksUrl === undefined) {
    const alone = Object.entries(read).find(([name, value]) => name.startsWith("HANGO_JWT_") && value !== undefined);
    if (alone === undefined) return undefined;
    throw refusal([`${alone[0]} is set without ${missing.map(([name]) => name).join(" and ")}: tokens need all of issuer, audience and keys.`]);
  }
  return {
    issuer,
    audience,
    jwksUrl,
    claims: { tenant: read.HANGO_JWT_TENANT_CLAIM ?? "tenant_id", subject: read.HANGO_JWT_SUBJECT_CLAIM ?? "sub", role: read.HANGO_JWT_ROLE_CLAIM ?? "role" },
    clockToleranceS: Math.ceil((read.HANGO_JWT_CLOCK_TOLERANCE ?? 30_000) / 1_000),
  };
}

function refusal(lines: readonly string[]): HangoError {
  return new HangoError("invalid_argument", lines.join(" "));
}

function ageOf(text: string): number | undefined {
  try {
    return parseAge(text);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}

function shownAge(ms: number): string {
  const [unit, size] = (
    [
      ["d", DAY_MS],
      ["m", MINUTE_MS],
    ] as const
  ).find(([, each]) => ms >= each && ms % each === 0) ?? ["s", 1_000];
  return `${Math.floor(ms / size)}${unit}`;
}

/** Keys that came over an open network may be anybody's. */
function isKeysUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" || (url?.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname));
}
