/** Telemetry only observes: whatever callers, tools, streams and exporters do, answers stay as they are, and nothing grows or stays open. */
import { diag, DiagLogLevel } from "@opentelemetry/api";
import type { Logger } from "@opentelemetry/api-logs";
import { type SpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { defineStorage, HangoError, memoryStorage, openSession, type Session, type SessionOptions, uuidFor } from "hango";
import { observeTools, type TelemetryOptions, withTelemetry } from "hango/telemetry";
import { expect, it, onTestFinished } from "vitest";
import { createRecorder, type Recorder } from "./recorder.ts";

function observed(recorder: Recorder, options: TelemetryOptions = {}, session: Partial<SessionOptions> = {}): Session {
  return withTelemetry(openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), ...session }), { ...recorder.providers, ...options });
}

const failure = new Error("the exporter is broken");
const fails = (): never => {
  throw failure;
};
const quiet: SpanProcessor = { onStart: () => undefined, onEnd: () => undefined, forceFlush: async () => undefined, shutdown: async () => undefined };
const tracing = (processor: Partial<SpanProcessor>): TelemetryOptions => ({
  tracerProvider: new TracerProvider({ spanProcessors: [{ ...quiet, ...processor }] }),
});
const logging = (logger: Partial<Logger>): TelemetryOptions => ({ loggerProvider: { getLogger: () => logger as Logger } });

const broken: readonly (readonly [what: string, options: TelemetryOptions])[] = [
  ["a span's start", tracing({ onStart: fails })],
  ["a span's end", tracing({ onEnd: fails })],
  ["a log record", logging({ emit: fails, enabled: () => true })],
  ["asking whether records are wanted", logging({ emit: () => undefined, enabled: fails })],
];
for (const [what, options] of broken)
  it(`a receiver that throws at ${what} changes no answer: a write that was made was answered as one that failed`, async () => {
    const told: unknown[] = [];
    diag.setLogger({ error: (_, error) => told.push(error), warn: fails, info: fails, debug: fails, verbose: fails }, { logLevel: DiagLogLevel.ERROR });
    onTestFinished(() => diag.disable());
    const session = observed(createRecorder(), options);
    expect(await session.fs.write("/a", "1")).toMatchObject({ path: "/a", sizeBytes: 1 });
    await expect(session.fs.read("/none")).rejects.toMatchObject({ code: "not_found" });
    const tools = observeTools(session, { works: { execute: async () => 7 } });
    expect(await tools.works.execute()).toBe(7);
    expect(await session.offload({ isError: false, forModel: "long line\n".repeat(10_000) }, { toolCallId: "c", toolName: "report" })).toMatchObject({
      details: { offload: { saved: true } },
    });
    expect(told).toContain(failure);
  });

it("an SDK of before a logger could be asked gets its lines, with the bytes: each write was a TypeError", async () => {
  const lines: unknown[] = [];
  const { fs } = observed(createRecorder(), logging({ emit: ({ body }) => lines.push(body) }));
  await fs.write("/a", "123");
  await fs.write("/a", "1");
  expect(lines).toEqual(["write /a (+3 bytes)", "write /a (-2 bytes)"]);
});

it("no attribute grows with what a caller sends", async () => {
  const recorder = createRecorder();
  const long = "x".repeat(100_000);
  const session = observed(recorder, { agentId: long, tenantId: long });
  await expect(session.fs.write("/a", "1", { origin: { actor: "agent", tool: long, toolCallId: long } })).rejects.toMatchObject({ code: "invalid_argument" });
  await observeTools(session, { [long]: { execute: async () => 1 } })[long]?.execute();
  await session.offload({ isError: false, forModel: "long line\n".repeat(10_000) }, { toolCallId: long, toolName: long });
  expect((await recorder.everything()).length).toBeLessThan(10_000);
  expect(() => observed(recorder, { agentId: 5 as never })).toThrow("agentId is no text");
});

it("an error of a copy of hango with other codes is internal: error.type is a closed set", async () => {
  const recorder = createRecorder();
  const tools = observeTools(observed(recorder), { a: { execute: () => Promise.reject(new HangoError("of_tomorrow" as never, "canary")) } });
  await expect(tools.a.execute()).rejects.toMatchObject({ code: "of_tomorrow" });
  expect(recorder.spans()[0]?.attributes["error.type"]).toBe("internal");
});

it("an offload that could not be saved is not told of as one that went to a file", async () => {
  const recorder = createRecorder();
  const inner = memoryStorage();
  const full = defineStorage({ name: "full", list: inner.list, read: inner.read, write: () => Promise.reject(failure), delete: inner.delete });
  const session = observed(recorder, {}, { storage: full });
  await session.offload({ isError: false, forModel: "long line\n".repeat(10_000) }, { toolCallId: "c", toolName: "report" });
  expect(recorder.logs()[0]?.body).toMatch(/^A result of report could not be saved: /);
});

const steps = (more: Partial<AsyncIterator<number>> = {}): AsyncIterable<number> => ({
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: 1 }), ...more }),
});
async function readOne(stream: AsyncIterable<number>): Promise<number | undefined> {
  for await (const value of stream) return value;
  return undefined;
}
const streams: readonly (readonly [what: string, stream: () => AsyncIterable<number>, read: (stream: AsyncIterable<number>) => Promise<unknown>])[] = [
  ["left before its start", () => steps(), async (stream) => stream[Symbol.asyncIterator]().return?.()],
  ["left after a step", () => steps(), readOne],
  ["that fails", () => steps({ next: () => Promise.reject(failure) }), readOne],
  ["that fails to close", () => steps({ return: () => Promise.reject(failure) }), readOne],
  ["that can't begin", () => ({ [Symbol.asyncIterator]: fails }), readOne],
];
for (const [what, stream, read] of streams)
  it(`a stream ${what} is answered as without a span, and its span ends once; it stayed open`, async () => {
    const recorder = createRecorder();
    const { tool } = observeTools(observed(recorder), { tool: { execute: stream } });
    const outcome = (given: AsyncIterable<number>): Promise<unknown> =>
      read(given).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
    const seen = await outcome(tool.execute());
    if (what !== "left before its start") expect(seen).toEqual(await outcome(stream()));
    expect(recorder.spans().map(({ name }) => name)).toEqual(["execute_tool tool"]);
  });

it("a stream that is left before its start is closed, as without a span", async () => {
  let closed = 0;
  const stream = (): AsyncIterable<number> => steps({ return: async (value) => (closed++, { done: true, value }) });
  const { tool } = observeTools(observed(createRecorder()), { tool: { execute: stream } });
  await tool.execute()[Symbol.asyncIterator]().return?.();
  expect(closed).toBe(1);
});
