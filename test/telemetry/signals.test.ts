/** What an observed session tells of each operation: figures, lines, paths, rules. */
import { SpanStatusCode } from "@opentelemetry/api";
import { SeverityNumber } from "@opentelemetry/api-logs";
import { DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import {
  defineStorage,
  memoryStorage,
  openSession,
  type Session,
  type SessionOptions,
  type Storage,
  type Tool,
  type ToolResult,
  uuidFor,
  withOffload,
} from "hango";
import { observeTools, type TelemetryOptions, telemetryMetrics, withTelemetry } from "hango/telemetry";
import { expect, it } from "vitest";
import { createRecorder, idsOf, type Recorder, treeOf } from "./recorder.ts";

const AGENT_ID = uuidFor("agent");

function observed(recorder: Recorder, options: TelemetryOptions = {}, session: Partial<SessionOptions> = {}): Session {
  return withTelemetry(openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), ...session }), {
    agentId: AGENT_ID,
    ...options,
    ...recorder.providers,
  });
}

const changes = (recorder: Recorder): readonly ReadableLogRecord[] => recorder.logs().filter(({ eventName }) => eventName === "hango.fs.changed");
const valuesOf = (metric: MetricData | undefined): readonly (readonly [object, unknown])[] =>
  (metric?.dataPoints ?? []).map(({ attributes, value }) => [attributes, typeof value === "number" ? value : value.count]);

it("one info line for each write, edit and delete, with the agent, the path, the bytes more or less, the actor and the trace", async () => {
  const recorder = createRecorder();
  const { fs } = observed(recorder, { tenantId: uuidFor("tenant") }, { principal: "ann@example.com" });
  await fs.write("/a.md", "12345");
  await fs.write("//a.md/", "123");
  await fs.edit("/a.md", "123", "äb");
  await fs.read("/a.md");
  await fs.delete("/a.md");
  await expect(fs.delete("/a.md")).rejects.toMatchObject({ code: "not_found" });

  const lines = changes(recorder);
  expect(lines.map(({ attributes, severityNumber, body }) => [attributes["op"], attributes["hango.fs.bytes_delta"], severityNumber, body])).toEqual([
    ["write", 5, SeverityNumber.INFO, "write /a.md (+5 bytes)"],
    ["write", -2, SeverityNumber.INFO, "write /a.md (-2 bytes)"],
    ["edit", 0, SeverityNumber.INFO, "edit /a.md (+0 bytes)"],
    ["delete", -3, SeverityNumber.INFO, "delete /a.md (-3 bytes)"],
  ]);
  expect(lines[0]?.attributes).toEqual({
    op: "write",
    "hango.fs.path": "/a.md",
    "hango.fs.bytes_delta": 5,
    "hango.agent.id": AGENT_ID,
    "hango.tenant.id": uuidFor("tenant"),
    "hango.session.id": uuidFor("s1"),
    "hango.actor": "agent",
    "hango.principal": "ann@example.com",
  });
  const span = recorder.spans().find(({ name }) => name === "fs.write");
  expect(lines[0]?.spanContext).toMatchObject(span === undefined ? {} : idsOf(span));
});

it("filtered by path, the lines say who changed a file: the agent, then a person through a door", async () => {
  const recorder = createRecorder();
  const storage = memoryStorage();
  const agent = observed(recorder, {}, { storage, policy: { reservedWrites: "allow" } });
  const person = observed(recorder, {}, { storage, actor: "operator", principal: "ann@example.com" });
  await agent.fs.write("/memories/AGENTS.md", "from the agent");
  await agent.fs.write("/notes.md", "something else");
  const { version } = await agent.fs.stat("/memories/AGENTS.md");
  await person.storage.write("memories/AGENTS.md", new TextEncoder().encode("from ann"), { ifVersion: version ?? "" });
  await person.storage.delete("memories/AGENTS.md");

  const ofFile = changes(recorder).filter(({ attributes }) => attributes["hango.fs.path"] === "/memories/AGENTS.md");
  expect(
    ofFile.map(({ attributes }) => [attributes["op"], attributes["hango.actor"], attributes["hango.principal"], attributes["hango.fs.bytes_delta"]]),
  ).toEqual([
    ["write", "agent", undefined, 14],
    ["write", "operator", "ann@example.com", -6],
    ["delete", "operator", "ann@example.com", -8],
  ]);
});

it("a directory that goes is one line, with the bytes of all that was below it; an apply has a line for each file", async () => {
  const recorder = createRecorder();
  const { fs, storage } = observed(recorder);
  await storage.apply?.([
    { kind: "create", path: "d/a", bytes: new Uint8Array(3) },
    { kind: "create", path: "d/b", bytes: new Uint8Array(4) },
  ]);
  await storage.apply?.([
    { kind: "modify", path: "d/a", bytes: new Uint8Array(10) },
    { kind: "delete", path: "d/b" },
  ]);
  await fs.write("/d/c", "12");
  await fs.delete("/d", { recursive: true });
  expect(changes(recorder).map(({ attributes }) => [attributes["op"], attributes["hango.fs.path"], attributes["hango.fs.bytes_delta"]])).toEqual([
    ["write", "/d/a", 3],
    ["write", "/d/b", 4],
    ["write", "/d/a", 7],
    ["delete", "/d/b", -4],
    ["write", "/d/c", 2],
    ["delete", "/d", -12],
  ]);
  expect(changes(recorder).at(-1)?.attributes["hango.fs.recursive"]).toBe(true);
});

it("each metric has its kind, its unit and no attribute that grows: no path, no id", async () => {
  const recorder = createRecorder();
  const session = observed(recorder);
  const { fs } = session;
  await fs.write("/a.md", "12345");
  const { version } = await fs.stat("/a.md");
  await fs.edit("/a.md", "1", "2");
  await expect(fs.write("/a.md", "6", { ifVersion: version ?? "" })).rejects.toMatchObject({ code: "conflict" });
  await session.offload({ isError: false, forModel: "long line\n".repeat(100_000) }, { toolCallId: "call_1", toolName: "report" });

  const metrics = await recorder.metrics();
  expect([...metrics.keys()].toSorted()).toEqual(
    Object.values(telemetryMetrics)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(
    Object.fromEntries([...metrics.values()].map(({ descriptor, dataPointType }) => [descriptor.name, [DataPointType[dataPointType], descriptor.unit]])),
  ).toEqual({
    "hango.fs.operations": ["SUM", "{operation}"],
    "hango.fs.bytes_written": ["SUM", "By"],
    "hango.fs.duration": ["HISTOGRAM", "s"],
    "hango.fs.conflicts": ["SUM", "{conflict}"],
    "hango.tool.result_offloads": ["SUM", "{result}"],
    "hango.tool.result_tokens": ["HISTOGRAM", "{token}"],
  });
  for (const { dataPointType, ...metric } of metrics.values()) if (dataPointType === DataPointType.SUM) expect(metric).toMatchObject({ isMonotonic: true });

  expect(valuesOf(metrics.get("hango.fs.operations"))).toEqual([
    [{ op: "write" }, 1],
    [{ op: "stat" }, 1],
    [{ op: "edit" }, 1],
    [{ op: "write", "error.type": "conflict" }, 1],
  ]);
  expect(valuesOf(metrics.get("hango.fs.bytes_written"))).toEqual([
    [{ op: "write" }, 5],
    [{ op: "edit" }, 5],
  ]);
  expect(valuesOf(metrics.get("hango.fs.conflicts"))).toEqual([[{ op: "write" }, 1]]);
  expect(valuesOf(metrics.get("hango.tool.result_offloads"))).toEqual([[{ "gen_ai.tool.name": "report", "hango.offload.saved": true }, 1]]);
  expect(valuesOf(metrics.get("hango.tool.result_tokens"))).toEqual([
    [{ "hango.tokens.view": "before" }, 1],
    [{ "hango.tokens.view": "after" }, 1],
  ]);
  const duration = metrics.get("hango.fs.duration");
  const point = duration?.dataPointType === DataPointType.HISTOGRAM ? duration.dataPoints[0] : undefined;
  expect(point?.value.buckets.boundaries.slice(0, 3)).toEqual([0.0005, 0.001, 0.0025]);
});

it("a path that is none is not recorded, for it may be any text; a hashed one keeps names out", async () => {
  const recorder = createRecorder();
  const { fs } = observed(recorder, { paths: "hashed" });
  await fs.write("/secret-project.md", "x");
  await expect(fs.read("not absolute secret-project")).rejects.toMatchObject({ code: "invalid_path" });
  expect(await recorder.everything()).not.toContain("secret-project");
  const [write, read] = recorder.spans();
  expect(write?.attributes["hango.fs.path"]).toMatch(/^sha256:[0-9a-f]{32}$/);
  expect(changes(recorder)[0]?.attributes["hango.fs.path"]).toBe(write?.attributes["hango.fs.path"]);
  expect(read?.attributes).not.toHaveProperty("hango.fs.path");
  expect(read?.attributes).toMatchObject({ "error.type": "invalid_path", "hango.fs.rule": "path_syntax" });
  expect(() => observed(recorder, { paths: "off" as "plain" })).toThrow("must be plain or hashed");
  expect(() => observed(recorder, { path: "plain" } as TelemetryOptions)).toThrow('withTelemetry has no option "path"');
});

const refusals: readonly (readonly [what: string, code: string, rule: string | undefined, run: (session: Session) => Promise<unknown>])[] = [
  ["a reserved path, also as it is not written", "forbidden", "reserved_path", ({ fs }) => fs.write("//memories/./a.md", "x")],
  ["a machine path", "forbidden", "machine_path", ({ fs }) => fs.write("/large_tool_results/x", "x")],
  ["a rule of the session", "forbidden", "actor_or_permission", ({ fs }) => fs.write("/locked/a", "x")],
  ["what is not there", "not_found", undefined, ({ fs }) => fs.read("/none")],
  ["a pattern that is none", "invalid_pattern", "pattern_syntax", ({ fs }) => fs.grep("(")],
];
for (const [what, code, rule, run] of refusals)
  it(`a refusal names its code and its rule: ${what}`, async () => {
    const recorder = createRecorder();
    const session = observed(recorder, {}, { policy: { permissions: [{ operations: ["write"], paths: ["/locked/"], mode: "deny" }] } });
    await expect(run(session)).rejects.toMatchObject({ code });
    const span = recorder.spans().at(-1);
    expect([span?.attributes["error.type"], span?.attributes["hango.fs.rule"], span?.status]).toEqual([code, rule, { code: SpanStatusCode.ERROR }]);
  });

it("an abort is the caller's own doing: the span says so and is no error", async () => {
  const recorder = createRecorder();
  const reason = new Error("enough");
  await expect(observed(recorder).fs.read("/a", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const [span] = recorder.spans();
  expect([span?.attributes["error.type"], span?.status]).toEqual(["aborted", { code: SpanStatusCode.UNSET }]);
});

it("an error of a store keeps its text to itself, in every signal", async () => {
  const recorder = createRecorder();
  const inner = memoryStorage();
  const failing: Storage = defineStorage({
    name: "failing",
    list: inner.list,
    read: () => Promise.reject(new Error("canary: row (secret) of table files")),
    write: inner.write,
    delete: inner.delete,
  });
  await expect(observed(recorder, {}, { storage: failing }).fs.read("/a")).rejects.toThrow();
  expect(await recorder.everything()).not.toContain("canary");
});

it("hango's own tools: a span each, the offload on it, a conversation that is sent again told of once", async () => {
  const recorder = createRecorder();
  const session = observed(recorder);
  const report: Tool = {
    name: "report",
    description: "A report.",
    inputSchema: {},
    execute: async (): Promise<ToolResult> => ({ isError: false, forModel: "long line\n".repeat(100_000) }),
  };
  const [tool] = observeTools(session, [withOffload(session, report)]);
  await tool?.execute({}, { toolCallId: "call_1" });
  await session.offload(await report.execute({}, { toolCallId: "call_1" }), { toolCallId: "call_1", toolName: "report" });
  expect(treeOf(recorder.spans())).toEqual(["execute_tool report"]);
  expect(recorder.spans()[0]?.events.map(({ name }) => name)).toEqual(["tool.result_offloaded"]);
  expect(recorder.logs().map(({ eventName }) => eventName)).toEqual(["tool.result_offloaded"]);
});

it("a tool that throws, and one that streams, are answered as without a span", async () => {
  const recorder = createRecorder();
  const session = observed(recorder);
  const failure = new Error("canary in a message");
  const tools = observeTools(session, {
    fails: {
      execute: (): never => {
        throw failure;
      },
    },
    streams: {
      execute: async function* (): AsyncGenerator<number> {
        await session.fs.write("/from-a-stream", "x");
        yield 1;
        yield 2;
      },
    },
  });
  expect(() => tools.fails.execute()).toThrow(failure);
  const seen: number[] = [];
  for await (const value of tools.streams.execute()) {
    seen.push(value);
    if (value === 1) break;
  }
  expect(seen).toEqual([1]);
  expect(treeOf(recorder.spans())).toEqual(["execute_tool fails", "execute_tool streams > fs.write", "execute_tool streams"]);
  expect(recorder.spans()[0]?.attributes["error.type"]).toBe("internal");
  expect(await recorder.everything()).not.toContain("canary");
});

it("observing twice observes once", async () => {
  const recorder = createRecorder();
  const session = observed(recorder);
  expect(withTelemetry(session, recorder.providers)).toBe(session);
});
