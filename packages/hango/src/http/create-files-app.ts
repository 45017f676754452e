/** The files API as a Fetch handler, for `hango serve` and for anyone's own server, sign-in and table of agents. */
import { Hono, type Context } from "hono";
import { checkOptionNames, HangoError, isHangoError } from "../errors.ts";
import { resolveLimits, type Limits } from "../limits.ts";
import type { Session } from "../session/vocabulary.ts";
import type { Namespace, ScopedStorage, Version } from "../storage.ts";
import type { AgentDirectory, AgentRow, AuditLog, Authenticate, SignIn } from "../tenancy.ts";
import { agentFor, cookieName, principalOf, type AgentUsage, type Door, type StreamLimits } from "./door.ts";
import { openApiDocument } from "./open-api.ts";
import { agentNotFound, problemOf, problemResponse, statusFor } from "./problem.ts";
import { createRate } from "./rate.ts";
import { agentSegment, jsonResponse, type Route } from "./route.ts";
import { agentRoutes } from "./routes/agents.ts";
import { changeFileRoutes } from "./routes/change-file.ts";
import { listingRoute } from "./routes/listing.ts";
import { readFileRoute } from "./routes/read-file.ts";
import { recordRoutes } from "./routes/record.ts";
import { searchRoutes } from "./routes/search.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { treeTarRoute } from "./routes/tree-tar.ts";
import { createSending } from "./sending.ts";
import { MAX_TARGET_CHARS, rawTargetOf, splitTarget, type TargetSource } from "./target.ts";

export interface FilesAppOptions {
  readonly authenticate: Authenticate;
  readonly agents: AgentDirectory;
  readonly storage: ScopedStorage<Namespace>;
  /** The record. Without it there are no events and no audit. */
  readonly audit?: AuditLog;
  /** Without it a page can't trade a key for a cookie. */
  readonly signIn?: SignIn;
  /** Default: as the request's own protocol. Set it behind a proxy that ends TLS. */
  readonly secureCookie?: boolean;
  /** What an agent uses of its quota. */
  readonly usage?: (agent: AgentRow) => Promise<AgentUsage | undefined>;
  /** A number to show for a version, where the storage counts. */
  readonly versionNumber?: (version: Version) => number | undefined;
  readonly limits?: Partial<Limits>;
  readonly streams?: Partial<StreamLimits>;
  /** In a minute and a process: changes of one person that are refused, each a row on record (3,000), and sign-ins with one key (600). Then it is 429. */
  readonly rates?: Partial<RowRates>;
  /** Wraps the session of each call, as `withTelemetry` does; it must answer with a session over the same files. */
  readonly observe?: (session: Session, agent: AgentRow) => Session;
  /** Where the app is mounted: "/api" for /api/v1/agents. */
  readonly basePath?: string;
  /** Told of each error that is answered with 500 or more; its cause is for a log, never for a client. */
  readonly onError?: (error: unknown, request: Request) => void;
}

export interface FilesApp {
  readonly fetch: (request: Request, env?: TargetSource) => Promise<Response>;
  /** Ends the open event streams. */
  readonly close: () => void;
}

/** What people can do that leaves a row behind and changes no file. */
export interface RowRates {
  readonly refusals: number;
  readonly signIns: number;
}

const defaultRates: RowRates = { refusals: 3_000, signIns: 600 };

const optionNames: Readonly<Record<keyof FilesAppOptions, true>> = {
  authenticate: true,
  agents: true,
  storage: true,
  audit: true,
  signIn: true,
  secureCookie: true,
  usage: true,
  versionNumber: true,
  limits: true,
  streams: true,
  rates: true,
  observe: true,
  basePath: true,
  onError: true,
};

const MIB = 1_048_576;
const defaultStreams: StreamLimits = {
  maxStreams: 1_000,
  maxStreamsEach: 20,
  heartbeatMs: 15_000,
  pollMs: 1_000,
  maxSendBytes: 512 * MIB,
  maxSendBytesEach: 64 * MIB,
};

interface Env {
  readonly Bindings: TargetSource;
}

/**
 * Makes the files API. The agent is looked up first (404), then the role (403), then the path (400), then the precondition (412, 428).
 * Errors: invalid_argument for options that can't be.
 */
export function createFilesApp(options: FilesAppOptions): FilesApp {
  checkOptionNames("createFilesApp", options, Object.keys(optionNames));
  const { basePath = "", onError } = options;
  if (basePath !== "" && !/^(\/[A-Za-z0-9._~-]+)+$/.test(basePath))
    throw new HangoError("invalid_argument", `basePath is ${JSON.stringify(basePath)}; it must look like /api, without a slash at the end.`);
  const closing = new AbortController();
  const door = doorOf(options, closing.signal);
  const routes = routesOf(door);
  const document = openApiDocument(routes, { basePath, cookie: options.signIn === undefined ? undefined : cookieName(door) });

  const targetOf = (request: Request, env: TargetSource | undefined): ReturnType<typeof splitTarget> => splitTarget(rawTargetOf(request, env), basePath);
  // Routed by the target as it was sent: a URL's resolved dots would name another agent's file.
  const app = new Hono<Env>({ getPath: (request, { env } = {}) => targetOf(request, env as TargetSource | undefined).path });

  app.use(async (context, next) => {
    if (rawTargetOf(context.req.raw, context.env).length <= MAX_TARGET_CHARS) return next();
    return problemResponse({ status: 414, code: "uri_too_long", detail: `The request target is longer than ${MAX_TARGET_CHARS} characters.` });
  });
  app.get("/openapi.json", () => jsonResponse(document, { headers: { "cache-control": "no-cache" } }));
  for (const route of routes) app.on(route.method.toUpperCase(), routedPath(route), (context) => answer(route, context));
  for (const [path, ofPath] of byPath(routes)) app.all(path, (context) => refuseMethod(ofPath, context));
  app.notFound(() =>
    problemResponse({ status: 404, code: "not_found", detail: `There is nothing at this address. ${basePath}/openapi.json describes every address.` }),
  );
  app.onError((error, context) => failed(error, context.req.raw));

  function failed(error: unknown, request: Request): Response {
    // Who has left gets no answer, and what their leaving broke off is no fault of the server.
    const isFault = !isHangoError(error) || statusFor(error).status >= 500;
    if (isFault && !request.signal.aborted) onError?.(error, request);
    return problemOf(error);
  }

  async function answer(route: Route, context: Context<Env>): Promise<Response> {
    const request = context.req.raw;
    const call = { request, target: targetOf(request, context.env) };
    if (route.needs === "nobody") return route.handle(call);
    const principal = await principalOf(door, request);
    if (principal === undefined) return unauthorized();
    if (route.needs === "principal") return route.handle({ ...call, principal });
    const agent = await agentFor(door, principal, agentSegment(call.target));
    return agent === undefined ? agentNotFound() : route.handle({ ...call, principal, agent });
  }

  /** Only for whoever may see what stands at the address. */
  async function refuseMethod(ofPath: readonly Route[], context: Context<Env>): Promise<Response> {
    const allow = ofPath.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()])).join(", ");
    const refusal = problemResponse({ status: 405, code: "method_not_allowed", detail: `This address takes ${allow}.`, headers: { allow } });
    const [first] = ofPath;
    if (first === undefined) return refusal;
    const { method, path, summary, answers, needs } = first;
    return answer({ method, path, summary, answers, needs, handle: async () => refusal } as Route, context);
  }

  return {
    fetch: async (request, env = {}) => {
      try {
        return await app.fetch(request, env);
      } catch (error) {
        // Hono answers errors only; a runtime's reason of an abort may be any value, and @hono/node-server's is a text.
        return failed(error, request);
      }
    },
    close: () => closing.abort(),
  };
}

function doorOf(options: FilesAppOptions, closing: AbortSignal): Door {
  const { authenticate, agents, storage, audit, signIn, secureCookie, usage, versionNumber, observe } = options;
  for (const [name, part] of Object.entries({
    authenticate,
    "agents.find": agents?.find,
    "agents.session": agents?.session,
    "storage.scope": storage?.scope,
  })) {
    if (typeof part !== "function") throw new HangoError("invalid_argument", `createFilesApp needs ${name}, a function.`);
  }
  const rates = { ...defaultRates, ...options.rates };
  checkOptionNames("rates", rates, Object.keys(defaultRates));
  const streams = { ...defaultStreams, ...options.streams };
  checkOptionNames("streams", streams, Object.keys(defaultStreams));
  for (const [what, given] of Object.entries({ streams, rates })) {
    for (const [name, value] of Object.entries(given)) {
      if (!Number.isSafeInteger(value) || value < 1) throw new HangoError("invalid_argument", `${what}.${name} must be a whole number of at least 1.`);
    }
  }
  return {
    authenticate,
    agents,
    storage,
    limits: resolveLimits(options.limits),
    streams,
    audit,
    signIn,
    secureCookie,
    usage,
    versionNumber,
    observe,
    rates: { refusals: createRate({ each: rates.refusals }), signIns: createRate({ each: rates.signIns }) },
    sending: createSending(streams),
    closing,
  };
}

function routesOf(door: Door): readonly Route[] {
  return [
    ...(door.signIn === undefined ? [] : signInRoutes(door, door.signIn)),
    ...agentRoutes(door),
    listingRoute(door),
    readFileRoute(door),
    ...changeFileRoutes(door),
    ...searchRoutes(door),
    treeTarRoute(door),
    ...(door.audit === undefined ? [] : recordRoutes(door, door.audit)),
  ];
}

/** As the router writes it; a file's path is all that follows. */
function routedPath({ path }: Route): string {
  return path.replace(/\/\{path\}$/, "/*").replace(/\{(\w+)\}/g, ":$1");
}

function byPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  return Map.groupBy(routes, routedPath);
}

function unauthorized(): Response {
  return problemResponse({
    status: 401,
    code: "unauthorized",
    detail: "No key, or one that does not work. Send it as Authorization: Bearer KEY.",
    headers: { "www-authenticate": "Bearer" },
  });
}
