/** The span of a request, under the caller's own trace. It names the kind of address, never a file. */
import { type Context, context, SpanKind, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import type { AppFetch } from "./http-server.ts";
import { routeOf } from "./log-request.ts";

/** As the W3C writes it; zeros name nothing. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** What a span is named after is a closed set: any other address is whatever somebody thought of. */
const ROUTES: ReadonlySet<string> = new Set([
  "/openapi.json",
  "/v1/agents",
  "/v1/agents/{id}",
  "/v1/agents/{id}/events",
  "/v1/agents/{id}/files",
  "/v1/agents/{id}/glob",
  "/v1/agents/{id}/grep",
  "/v1/agents/{id}/sessions",
  "/v1/agents/{id}/tree.tar",
  "/v1/audit",
  "/v1/me",
  "/v1/sign-in",
]);

export function observeRequests(fetch: AppFetch, tracer: Tracer): AppFetch {
  return async (request, environment) => {
    const asked = routeOf((environment.incoming.url ?? "").split("?", 1)[0] ?? "").route;
    const route = ROUTES.has(asked) ? asked : "other";
    const parent = withCaller(context.active(), request.headers.get("traceparent") ?? "");
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { "http.request.method": request.method, "http.route": route } },
      parent,
    );
    try {
      const response = await context.with(trace.setSpan(parent, span), () => fetch(request, environment));
      span.setAttribute("http.response.status_code", response.status);
      if (response.status >= 500) span.setAttribute("error.type", String(response.status)).setStatus({ code: SpanStatusCode.ERROR });
      return response;
    } catch (error) {
      span.setAttribute("error.type", "internal").setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
}

function withCaller(active: Context, traceparent: string): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return active;
  return trace.setSpanContext(active, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true });
}
