import { logs } from "@opentelemetry/api-logs";
import { metrics, trace } from "@opentelemetry/api";
import { MockLanguageModelV4 } from "ai/test";
import { memoryStorage, uuidFor } from "hango";
import { afterEach, expect, it } from "vitest";
import { askObserved, openObserved } from "../../examples/telemetry.ts";
import { createRecorder, treeOf } from "./recorder.ts";

afterEach(() => {
  trace.disable();
  metrics.disable();
  logs.disable();
});

const usage = {
  inputTokens: { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 0, text: undefined, reasoning: undefined },
};

it("the guide's example: with an SDK registered, the agent's calls are spans and its change is a line", async () => {
  const { providers, spans, logs: records } = createRecorder();
  trace.setGlobalTracerProvider(providers.tracerProvider);
  metrics.setGlobalMeterProvider(providers.meterProvider);
  logs.setGlobalLoggerProvider(providers.loggerProvider);
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) =>
      prompt.some(({ role }) => role === "tool")
        ? { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] }
        : {
            content: [{ type: "tool-call", toolCallId: "1", toolName: "write_file", input: '{"path":"/a.md","content":"x"}' }],
            finishReason: { unified: "tool-calls", raw: undefined },
            usage,
            warnings: [],
          },
  });
  const session = openObserved(memoryStorage(), uuidFor("s1"), uuidFor("agent"));
  expect(await askObserved(model, session, "go")).toBe("done");
  expect(treeOf(spans())).toContain("execute_tool write_file > fs.write");
  expect(records().map(({ body }) => body)).toEqual(["write /a.md (+1 bytes)"]);
});
