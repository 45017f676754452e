/** The OpenAPI 3.1 document, made from the routes themselves. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Route } from "./route.ts";

const VERSION = "1";
const FILE_PATH = "One or more names; encode each, and put plain slashes between them";

/** What @hono/zod-openapi takes of a route. */
type Registered = Parameters<OpenAPIHono["openAPIRegistry"]["registerPath"]>[0];

/** `basePath` is where the app is mounted; `cookie` the name of the sign-in cookie, where there is sign-in. */
export function openApiDocument(routes: readonly Route[], { basePath, cookie }: { readonly basePath: string; readonly cookie: string | undefined }): unknown {
  const book = new OpenAPIHono();
  const { openAPIRegistry: registry } = book;
  registry.registerComponent("securitySchemes", "key", { type: "http", scheme: "bearer" });
  if (cookie !== undefined) registry.registerComponent("securitySchemes", "cookie", { type: "apiKey", in: "cookie", name: cookie });
  const security = cookie === undefined ? [{ key: [] }] : [{ key: [] }, { cookie: [] }];
  for (const route of routes) registry.registerPath({ ...pageOf(route), ...(route.needs === "nobody" ? {} : { security }) });
  return book.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "hango files", version: VERSION },
    ...(basePath === "" ? {} : { servers: [{ url: basePath }] }),
  });
}

const problem = z.object({ type: z.string(), title: z.string(), status: z.number(), code: z.string(), detail: z.string() });

function pageOf(route: Route): Registered {
  const { method, path, summary, query, headers, body } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const params = z.object(Object.fromEntries(names.map((name) => [name, z.string().describe(name === "path" ? FILE_PATH : "The agent's id")])));
  return {
    method,
    path,
    summary,
    request: {
      ...(names.length === 0 ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(headers === undefined ? {} : { headers: headersOf(headers) }),
      ...(body === undefined ? {} : { body: { required: true, content: { [body.contentType]: { schema: body.schema } } } }),
    },
    responses: Object.fromEntries(answersOf(route).map(([status, description]) => [status, answerOf(route, Number(status), description)])),
  };
}

function headersOf(headers: Readonly<Record<string, string>>): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(headers).map(([name, what]) => [name, z.string().optional().describe(what)])));
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
  const types = route.produces ?? ["application/json"];
  return { description, content: Object.fromEntries(types.map((type) => [type, { schema: z.unknown() }])) };
}
