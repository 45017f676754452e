/** An agent whose tools ask `hango serve`: its spans and the server's own are one tree at the collector that both send to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { generateText, isStepCount, jsonSchema, tool, type ToolSet } from "ai";
import { memoryStorage, openSession, uuidFor } from "hango";
import { observeTools, withTelemetry } from "hango/telemetry";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { startOtlpReceiver } from "../../../../test/telemetry/otlp-receiver.ts";
import { pathsOf } from "../../../../test/telemetry/tree.ts";
import { ensureBuilt } from "../built.test-support.ts";
import { scriptedModel } from "../demo/scripted-model.ts";
import { type ServeProcess, startServe } from "./serve.test-support.ts";

beforeAll(ensureBuilt, 240_000);

const CANARY = "canary-c0a7";

/** As any HTTP client hands on the span that is active. */
function traceparent(): string {
  const { traceId, spanId, traceFlags } = trace.getActiveSpan()?.spanContext() ?? expect.fail("no span is active");
  return `00-${traceId}-${spanId}-0${traceFlags}`;
}

/** An agent's own tools, over the files API. */
function remoteFiles(server: ServeProcess): ToolSet {
  const file = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await server.ask(`/v1/agents/${server.agentId}/files${path}`, { ...init, headers: { ...init.headers, traceparent: traceparent() } });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    save: tool({
      description: "Saves a file.",
      inputSchema: jsonSchema<{ readonly path: string; readonly text: string }>({ type: "object" }),
      execute: async ({ path, text }) => (await file(path, { method: "PUT", body: text, headers: { "if-none-match": "*" } })).status,
    }),
    load: tool({
      description: "Loads a file.",
      inputSchema: jsonSchema<{ readonly path: string }>({ type: "object" }),
      execute: async ({ path }) => (await file(path)).text(),
    }),
  };
}

it("an agent's span, its tools' spans, the server's requests and the file operations are one tree of one trace, without content", async () => {
  const directory = mkdtempSync(join(tmpdir(), "hango-agent-trace-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  const collector = await startOtlpReceiver();
  onTestFinished(() => collector.close());
  const server = await startServe(`pglite:${join(directory, "data")}`, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });

  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
  const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
  const tracerProvider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const session = withTelemetry(openSession({ storage: memoryStorage(), sessionId: uuidFor("remote") }), { tracerProvider });
  const path = "/memories/of-the-agent.md";
  const model = scriptedModel([
    () => ({ tool: "save", input: { path, text: `The plan: ${CANARY}` } }),
    (seen) => (seen === "201" ? { tool: "load", input: { path } } : { say: seen }),
    (seen) => ({ say: seen }),
  ]);
  const span = tracerProvider.getTracer("app").startSpan("invoke_agent planner");
  const { text } = await context.with(trace.setSpan(context.active(), span), () =>
    generateText({ model, prompt: `Save ${CANARY}`, tools: observeTools(session, remoteFiles(server)), stopWhen: isStepCount(5) }),
  );
  span.end();
  expect(text).toContain(CANARY);
  await tracerProvider.shutdown();
  expect(await server.end()).toEqual({ code: 0, signal: null });

  const { traceId } = span.spanContext();
  const spans = collector.spans().filter((each) => each.traceId === traceId);
  expect(pathsOf(spans).toSorted()).toEqual([
    "invoke_agent planner",
    "invoke_agent planner > execute_tool load",
    "invoke_agent planner > execute_tool load > GET /v1/agents/{id}/files",
    "invoke_agent planner > execute_tool load > GET /v1/agents/{id}/files > fs.read",
    "invoke_agent planner > execute_tool save",
    "invoke_agent planner > execute_tool save > PUT /v1/agents/{id}/files",
    "invoke_agent planner > execute_tool save > PUT /v1/agents/{id}/files > fs.write",
  ]);
  expect(spans.filter(({ attributes }) => attributes.has("error.type"))).toEqual([]);
  expect(collector.logs().map((log) => [log.traceId, log.attributes.get("hango.fs.path")])).toEqual([[traceId, path]]);
  expect(collector.raw()).not.toContain(CANARY);
}, 120_000);
