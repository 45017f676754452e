/** node:http with every bound set: on headers, the time of a request, idle sockets and their number. The app bounds targets and bodies. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { HangoError } from "hango";
import { clientAddress } from "./client-address.ts";
import type { Health } from "./health.ts";
import type { Logger } from "./log.ts";
import { logRequest } from "./log-request.ts";
import { type OpenSockets, watchSockets } from "./open-sockets.ts";
import { MAX_HEADER_BYTES, problemBody, refuseSocket } from "./refuse-socket.ts";
import { type RequestContext, withRequest } from "./request-context.ts";
import type { ServeSettings } from "./settings.ts";

/** The files app, as far as the server calls it. */
export type AppFetch = (request: Request, environment: { readonly incoming: IncomingMessage }) => Response | Promise<Response>;

export interface HttpServerOptions {
  readonly fetch: AppFetch;
  readonly health: Health;
  readonly logger: Logger;
  readonly settings: ServeSettings;
}

export interface HttpServer {
  /** http://127.0.0.1:4264 */
  readonly url: string;
  /** Stops accepting, waits for the answers that are under way, then cuts what is left. The answer: how many sockets were cut. */
  readonly close: (waitMs: number) => Promise<number>;
}

const MAX_HEADERS = 100;
/** How often node looks for requests that take too long. */
const CHECK_MS = 1_000;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Errors: unavailable when the port is taken or may not be used. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { settings, logger } = options;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_MS,
  });
  const sockets = watchSockets(server);
  server.on("request", listenerOf(options, sockets));
  server.maxHeadersCount = MAX_HEADERS;
  server.maxConnections = settings.maxConnections;
  server.setTimeout(settings.idleTimeoutMs);
  server.on("drop", () => logger.warn({ limit: settings.maxConnections }, "a connection was turned away: too many are open"));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    logger.info({ reason: error.code }, "a request that can't be read");
    // Bytes in the middle of an answer would be taken for a part of it.
    if (sockets.hasBegunAnswer(socket as Socket)) socket.destroy();
    else refuseSocket(socket as Socket, error);
  });
  await listen(server, settings);
  return { url: urlOf(server.address() as AddressInfo), close: (waitMs) => closeServer(server, sockets, waitMs) };
}

function listenerOf(
  { fetch, health, logger, settings: { logPaths, trustedProxies } }: HttpServerOptions,
  sockets: OpenSockets,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const listener = getRequestListener(
    async (request, environment) => {
      const incoming = environment.incoming as IncomingMessage;
      const target = incoming.url ?? "";
      return (await health(request.method, target.split("?", 1)[0] ?? "")) ?? fetch(request, { incoming });
    },
    {
      overrideGlobalObjects: false,
      // What node:http let through and no URL can be made of; anything else is the app's to answer.
      errorHandler: (error) => {
        if (error instanceof Error && error.name === "RequestError") return problem(400, "The address or the Host header can't be read.");
        logger.error({ error }, "a request failed outside the app");
        return problem(500, "Something failed on the server.");
      },
    },
  );
  let hinted = trustedProxies > 0;
  return (incoming, outgoing) => {
    if (!hinted && incoming.headers["x-forwarded-for"] !== undefined) {
      hinted = true;
      logger.warn(
        "requests come with X-Forwarded-For: where a proxy of yours sets it, say with HANGO_TRUSTED_PROXIES how many there are, or all behind it share one bound on wrong keys",
      );
    }
    const context = contextOf(incoming, trustedProxies);
    sockets.answering(incoming, outgoing);
    outgoing.setHeader("x-request-id", context.id);
    logRequest(incoming, outgoing, context, { logger, logPaths });
    void withRequest(context, () => listener(incoming, outgoing));
  };
}

/** A proxy's own id is kept, so that its log and this one are read together. */
function contextOf(incoming: IncomingMessage, trustedProxies: number): RequestContext {
  const given = incoming.headers["x-request-id"];
  return { id: typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID(), address: clientAddress(incoming, trustedProxies) };
}

function problem(status: number, detail: string): Response {
  return new Response(problemBody(status, detail), { status, headers: { "content-type": "application/problem+json", "cache-control": "no-store" } });
}

function listen(server: Server, { host, port }: ServeSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): HangoError {
  const said: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Stop what uses it, or choose another with --port or PORT.`,
    EACCES: `Port ${port} may not be used by this user. Choose one from 1024 with --port or PORT.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Choose another with --host or HOST.`,
    ENOTFOUND: `The host ${host} is not known. Choose another with --host or HOST.`,
  };
  return new HangoError("unavailable", said[error.code ?? ""] ?? `The server can't listen on ${host}, port ${port}.`, { cause: error });
}

function urlOf({ address, family, port }: AddressInfo): string {
  const shown = address === "::" || address === "0.0.0.0" ? "localhost" : family === "IPv6" ? `[${address}]` : address;
  return `http://${shown}:${port}`;
}

async function closeServer(server: Server, sockets: OpenSockets, waitMs: number): Promise<number> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  sockets.closeWhenDone();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
  await Promise.race([closed, late]);
  clearTimeout(timer);
  const cut = sockets.cut();
  await closed;
  return cut;
}
