/** A scripted agent in the AI SDK's own loop, under an agent's span: what a backend gets of it. */
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { generateText, isStepCount, jsonSchema, tool, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { memoryStorage, openSession, type Session, uuidFor } from "hango";
import { aiSdkTools } from "hango/ai-sdk";
import { observeTools, withTelemetry } from "hango/telemetry";
import { expect, it } from "vitest";
import { createRecorder, idsOf, type Recorder, treeOf } from "./recorder.ts";

type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Move = readonly [tool: string, input: object];
type Integrations = NonNullable<Parameters<typeof generateText>[0]["telemetry"]>["integrations"];

const CANARY = "canary-93e1";
const AGENT_ID = uuidFor("writer");
const usage: Generated["usage"] = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

const moves: readonly Move[] = [
  ["ls", { path: "/" }],
  ["write_file", { path: "/notes/a.md", content: `first ${CANARY}\n` }],
  ["read_file", { path: "/notes/a.md" }],
  ["edit_file", { path: "/notes/a.md", old_string: "first", new_string: "second" }],
  ["grep", { pattern: CANARY }],
  ["glob", { pattern: "**/*.md" }],
  ["report", {}],
  ["write_file", { path: "/memories/x.md", content: CANARY }],
  ["edit_file", { path: "/notes/a.md", old_string: `${CANARY} nowhere`, new_string: "x" }],
  ["delete_file", { path: "/notes/a.md" }],
];

function modelOf(): MockLanguageModelV4 {
  let turn = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const move = moves[turn++];
      const content: Generated["content"] =
        move === undefined
          ? [{ type: "text", text: "done" }]
          : [{ type: "tool-call", toolCallId: `call_${turn}`, toolName: move[0], input: JSON.stringify(move[1]) }];
      return { content, finishReason: { unified: move === undefined ? "stop" : "tool-calls", raw: undefined }, usage, warnings: [] };
    },
  });
}

const report = tool({
  description: "A long report.",
  inputSchema: jsonSchema<Record<string, never>>({ type: "object", properties: {} }),
  execute: async () => `${CANARY} line of the report\n`.repeat(20_000),
});

function openAgent(recorder: Recorder, options: { readonly paths?: "hashed" } = {}): { readonly session: Session; readonly tools: ToolSet } {
  const tools = ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file"] as const;
  const session = withTelemetry(openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), tools }), {
    agentId: AGENT_ID,
    ...options,
    ...recorder.providers,
  });
  return { session, tools: observeTools(session, aiSdkTools(session, { tools: { report } })) };
}

async function runAgent(recorder: Recorder, tools: ToolSet, integrations: Integrations = []): Promise<void> {
  const span = recorder.providers.tracerProvider.getTracer("app").startSpan("invoke_agent writer");
  await context.with(trace.setSpan(context.active(), span), () =>
    generateText({ model: modelOf(), tools, prompt: "go", stopWhen: isStepCount(20), telemetry: { integrations } }),
  );
  span.end();
}

it("the whole tree is there: the agent's span, a span for each tool call, the file operations below it", async () => {
  const recorder = createRecorder();
  await runAgent(recorder, openAgent(recorder).tools);
  const tree = treeOf(recorder.spans());
  for (const [name, op] of [
    ["ls", "ls"],
    ["write_file", "write"],
    ["read_file", "read"],
    ["edit_file", "edit"],
    ["grep", "grep"],
    ["glob", "glob"],
    ["delete_file", "delete"],
  ])
    expect(tree).toContain(`invoke_agent writer > execute_tool ${name} > fs.${op}`);
  expect(tree.filter((path) => path.includes("execute_tool")).every((path) => path.startsWith("invoke_agent writer > execute_tool "))).toBe(true);

  const toolSpan = recorder.spans().find(({ name }) => name === "execute_tool grep");
  expect(toolSpan?.kind).toBe(SpanKind.INTERNAL);
  expect(toolSpan?.attributes).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "grep",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": "call_5",
    "hango.agent.id": AGENT_ID,
    "hango.session.id": uuidFor("s1"),
  });
  const read = recorder.spans().find(({ name }) => name === "fs.read");
  expect(read?.kind).toBe(SpanKind.INTERNAL);
  expect(read?.attributes).toEqual({
    "hango.fs.path": "/notes/a.md",
    "hango.fs.bytes": 18,
    "gen_ai.tool.name": "read_file",
    "gen_ai.tool.call.id": "call_3",
    "hango.agent.id": AGENT_ID,
    "hango.session.id": uuidFor("s1"),
  });
  expect(recorder.spans().find(({ name }) => name === "fs.grep")?.attributes["hango.fs.matches"]).toBe(1);
});

it("an offload is an event of the execute_tool span and a log record with its ids, once", async () => {
  const recorder = createRecorder();
  await runAgent(recorder, openAgent(recorder).tools);
  const span = recorder.spans().find(({ name }) => name === "execute_tool report");
  const [event, ...others] = span?.events ?? [];
  expect(others).toEqual([]);
  expect(event?.name).toBe("tool.result_offloaded");
  expect(event?.attributes).toEqual({
    "gen_ai.tool.name": "report",
    "hango.fs.path": expect.stringMatching(/^\/large_tool_results\//),
    "hango.tokens.before": expect.any(Number),
    "hango.tokens.after": expect.any(Number),
    "hango.offload.saved": true,
  });
  const records = recorder.logs().filter(({ eventName }) => eventName === "tool.result_offloaded");
  expect(records).toHaveLength(1);
  expect(records[0]?.attributes).toMatchObject({ ...event?.attributes });
  expect(records[0]?.spanContext).toMatchObject(span === undefined ? {} : idsOf(span));
});

it("where the framework has an execute_tool span of its own, there is no second one, and the event is on it", async () => {
  const recorder = createRecorder();
  const tracer = recorder.providers.tracerProvider.getTracer("framework");
  await runAgent(recorder, openAgent(recorder).tools, [
    {
      executeTool: async ({ toolCall, execute }) => {
        const span = tracer.startSpan(`execute_tool ${toolCall?.toolName}`, { attributes: { "gen_ai.operation.name": "execute_tool" } });
        try {
          return await context.with(trace.setSpan(context.active(), span), execute);
        } finally {
          span.end();
        }
      },
    },
  ]);
  const toolSpans = recorder.spans().filter(({ name }) => name.startsWith("execute_tool"));
  expect(toolSpans).toHaveLength(moves.length);
  expect(new Set(toolSpans.map(({ instrumentationScope }) => instrumentationScope.name))).toEqual(new Set(["framework"]));
  expect(treeOf(recorder.spans())).toContain("invoke_agent writer > execute_tool read_file > fs.read");
  expect(toolSpans.find(({ name }) => name === "execute_tool report")?.events.map(({ name }) => name)).toEqual(["tool.result_offloaded"]);
});

it("a refusal has its code and its rule, on the tool's span and on the file's", async () => {
  const recorder = createRecorder();
  await runAgent(recorder, openAgent(recorder).tools);
  const failed = recorder.spans().filter(({ status }) => status.code === SpanStatusCode.ERROR);
  expect(failed.map(({ name, attributes, status }) => [name, attributes["error.type"], attributes["hango.fs.rule"], status.message])).toEqual([
    ["fs.write", "forbidden", "reserved_path", undefined],
    ["execute_tool write_file", "forbidden", undefined, undefined],
    ["fs.edit", "no_match", "exact_match", undefined],
    ["execute_tool edit_file", "no_match", "exact_match", undefined],
  ]);
});

it("no content is in any signal: what stands in files, arguments and results never shows", async () => {
  for (const options of [{}, { paths: "hashed" }] as const) {
    const recorder = createRecorder();
    await runAgent(recorder, openAgent(recorder, options).tools);
    const everything = await recorder.everything();
    expect(everything).toContain("fs.edit");
    expect(everything).not.toContain(CANARY);
    expect(everything.includes("/notes/a.md")).toBe(options.paths !== "hashed");
  }
});

it("a session that nobody observes keeps its very own tools", () => {
  const session = openSession({ storage: memoryStorage(), sessionId: uuidFor("s1") });
  const tools = aiSdkTools(session);
  expect(observeTools(session, tools)).toBe(tools);
});
