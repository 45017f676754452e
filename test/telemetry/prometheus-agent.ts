/** A program that runs an agent: the guide's example with a scripted model, and a page for Prometheus. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { jsonSchema, tool, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { memoryStorage, openSession, uuidFor } from "hango";
import { withTelemetry } from "hango/telemetry";
import { askObserved } from "../../examples/telemetry.ts";

type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

export interface MeteredAgent {
  /** Host and port of its page. */
  readonly target: string;
  /** One run: it writes, edits and reads a file, and asks for a report that is too large for its context. */
  readonly run: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const moves: readonly (readonly [tool: string, input: object])[] = [
  ["write_file", { path: "/notes/a.md", content: "first\n" }],
  ["edit_file", { path: "/notes/a.md", old_string: "first", new_string: "second" }],
  ["read_file", { path: "/notes/a.md" }],
  ["report", {}],
];
const usage: Generated["usage"] = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

export async function startMeteredAgent(): Promise<MeteredAgent> {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  const page = createServer((request, response) => exporter.getMetricsRequestHandler(request, response));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  let runs = 0;
  return {
    target: `127.0.0.1:${(page.address() as AddressInfo).port}`,
    run: async () => {
      runs += 1;
      const session = withTelemetry(openSession({ storage: memoryStorage(), sessionId: uuidFor(`run ${runs}`) }), { meterProvider });
      await askObserved(scriptedModel(), session, "go", reports);
    },
    close: async () => {
      page.closeAllConnections();
      await new Promise<void>((resolve) => page.close(() => resolve()));
      await meterProvider.shutdown();
    },
  };
}

const reports: ToolSet = {
  report: tool({
    description: "A long report.",
    inputSchema: jsonSchema<Record<string, never>>({ type: "object", properties: {} }),
    execute: async () => "a line of the report\n".repeat(20_000),
  }),
};

function scriptedModel(): MockLanguageModelV4 {
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
