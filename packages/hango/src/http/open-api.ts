/** The OpenAPI 3.1 document, made from the routes themselves. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Route } from "./route.ts";

const VERSION = "1";

/** What @hono/zod-openapi takes of a route. */
type Registered = Parameters<OpenAPIHono["openAPIRegistry"]["registerPath"]>[0];

export function openApiDocument(routes: readonly Route[]): unknown {
  const book = new OpenAPIHono();
  book.openAPIRegistry.registerComponent("securitySchemes", "key", { type: "http", scheme: "bearer" });
  for (const route of routes) book.openAPIRegistry.registerPath(pageOf(route));
  return book.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "hango files", version: VERSION } });
}

const problem = z.object({ type: z.string(), title: z.string(), status: z.number(), code: z.string(), detail: z.string() });

function pageOf(route: Route): Registered {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
  return {
    method: route.method,
    path: route.path,
    summary: route.summary,
    ...(route.needs === "nobody" ? {} : { security: [{ key: [] }] }),
    request: { ...(names.length === 0 ? {} : { params }), ...(route.query === undefined ? {} : { query: route.query }) },
    responses: Object.fromEntries(answersOf(route).map(([status, description]) => [status, answerOf(route, Number(status), description)])),
  };
}

function answersOf(route: Route): readonly (readonly [string, string])[] {
  const common: Readonly<Record<string, string>> = {
    400: "The path, the query or a header is not valid",
    ...(route.needs === "nobody" ? {} : { 401: "No key, or one that does not work" }),
    ...(route.needs === "agent" ? { 404: "No such agent, or not yours to see" } : {}),
  };
  return Object.entries({ ...common, ...route.answers });
}

function answerOf(route: Route, status: number, description: string): { description: string; content?: Record<string, { schema: z.ZodType }> } {
  if (status >= 400) return { description, content: { "application/problem+json": { schema: problem } } };
  if (status === 204 || status === 304) return { description };
  return { description, content: { [route.produces ?? "application/json"]: { schema: z.unknown() } } };
}
