/** The line that the log has of each request. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "./log.ts";
import type { RequestContext } from "./request-context.ts";

export interface LogRequestOptions {
  readonly logger: Logger;
  readonly logPaths: boolean;
}

/** /v1/agents/{id}/files/…: what is before the id, the id, and one word after it. */
const AGENT = /^\/v1\/agents\/([0-9a-f-]{36})(\/[a-z.]{1,20})?(?:\/|$)/i;
const PLAIN = /^(?:\/[a-z0-9._-]{1,40}){1,4}$/i;
/** Questions of a load balancer, every few seconds. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** The longest target that is answered; what a log is told is no longer. */
const MAX_SHOWN_CHARS = 4_096;

/** Writes the line when the answer has ended, also one that the client did not wait for. */
export function logRequest(incoming: IncomingMessage, outgoing: ServerResponse, context: RequestContext, { logger, logPaths }: LogRequestOptions): void {
  const start = performance.now();
  const path = pathOf(incoming.url ?? "");
  outgoing.once("close", () => {
    const { statusCode: status } = outgoing;
    const line = {
      request: context.id,
      method: incoming.method,
      ...routeOf(path),
      ...(logPaths ? { path: path.slice(0, MAX_SHOWN_CHARS) } : {}),
      status,
      ms: Math.round((performance.now() - start) * 10) / 10,
      address: context.address,
      ...(context.principal === undefined ? {} : { tenant: context.principal.tenantId, principal: context.principal.subject, role: context.principal.role }),
      ...(outgoing.writableFinished ? {} : { aborted: true }),
    };
    if (PROBES.has(path)) logger.debug(line, "request");
    else if (status >= 500) logger.error(line, "request");
    else logger.info(line, "request");
  });
}

function pathOf(target: string): string {
  const question = target.indexOf("?");
  return question < 0 ? target : target.slice(0, question);
}

/** The address without names of files. */
export function routeOf(path: string): { readonly route: string; readonly agent?: string } {
  const [, agent, rest = ""] = AGENT.exec(path) ?? [];
  if (agent !== undefined) return { route: `/v1/agents/{id}${rest}`, agent: agent.toLowerCase() };
  return { route: PLAIN.test(path) && !path.startsWith("/v1/agents/") ? path : "other" };
}
