/** The span of a request: named after a closed set, below the caller's trace, and with nothing else that the caller sent. */
import type { IncomingMessage } from "node:http";
import { memoryStorage } from "hango";
import { createFilesApp } from "hango/http";
import { expect, it } from "vitest";
import { createRecorder, type Recorder } from "../../../../test/telemetry/recorder.ts";
import type { AppFetch } from "./http-server.ts";
import { observeRequests } from "./telemetry-request.ts";

const AGENT = "3a5759bb-1406-82ac-b1d8-82d3f3c99058";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

function observed(fetch: AppFetch = () => new Response("ok")): {
  readonly recorder: Recorder;
  readonly ask: (target: string, headers?: HeadersInit) => Promise<Response>;
} {
  const recorder = createRecorder();
  const watched = observeRequests(fetch, recorder.providers.tracerProvider.getTracer("test"));
  return { recorder, ask: async (url, headers = {}) => watched(new Request(`http://host${url}`, { headers }), { incoming: { url } as IncomingMessage }) };
}

async function documentedPaths(): Promise<readonly string[]> {
  const nobody = async (): Promise<undefined> => undefined;
  const app = createFilesApp({
    authenticate: nobody,
    agents: { find: nobody, list: async () => [], sessions: async () => [], session: nobody },
    storage: { name: "memory", scope: () => memoryStorage() },
    audit: { list: async () => [], events: async () => [] } as never,
    signIn: { create: nobody, find: nobody, end: nobody },
  });
  const document = (await (await app.fetch(new Request("http://host/openapi.json"))).json()) as { readonly paths: object };
  return ["/openapi.json", ...Object.keys(document.paths)];
}

it("every address of the API has its own name", async () => {
  const { recorder, ask } = observed();
  const paths = await documentedPaths();
  for (const path of paths) await ask(path.replace("{id}", AGENT).replace("{path}", "secret/salaries.md"));
  expect(recorder.spans().map(({ name }) => name)).toEqual(paths.map((path) => `GET ${path.replace("/{path}", "")}`));
});

it("an address that is none is one name, for somebody may try a million: each of them was a name of its own", async () => {
  const { recorder, ask } = observed(() => new Response("", { status: 404 }));
  for (const path of ["/canary", "/canary/a.php", `/v1/agents/${AGENT}/canary`, "/v1/agents/canary/files", "/v1/me/canary"]) await ask(`${path}?canary=1`);
  expect(new Set(recorder.spans().map(({ name }) => name))).toEqual(new Set(["GET other"]));
  expect(await recorder.everything()).not.toContain("canary");
});

it("of the caller's headers only the trace is taken, and only a whole one", async () => {
  const { recorder, ask } = observed();
  await ask("/v1/me", { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, baggage: "user=canary", tracestate: "vendor=canary" });
  await ask("/v1/me", { traceparent: `00-${TRACE}-0000000000000000-01` });
  await ask("/v1/me", { traceparent: "canary" });
  const [first, ...others] = recorder.spans();
  expect(first?.spanContext().traceId).toBe(TRACE);
  for (const span of others) expect([span.parentSpanContext, span.spanContext().traceId === TRACE]).toEqual([undefined, false]);
  expect(await recorder.everything()).not.toContain("canary");
});

it("a request that fails is an error whose text is not told, and its span ends", async () => {
  const { recorder, ask } = observed(() => {
    throw new Error("canary");
  });
  await expect(ask("/v1/me")).rejects.toThrow("canary");
  expect(recorder.spans()[0]?.attributes["error.type"]).toBe("internal");
  expect(await recorder.everything()).not.toContain("canary");
});
