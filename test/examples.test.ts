import { MockLanguageModelV4 } from "ai/test";
import { memoryStorage, openSession } from "hango";
import { storageConformance } from "hango/testing";
import { describe, expect, it, vi } from "vitest";
import { ask } from "../examples/ai-sdk-agent.ts";
import { mapStorage } from "../examples/own-backend.ts";
import { fromRoot, PAGES_WITH_CODE, withExamples } from "../tools/readme-examples.ts";

const usage = {
  inputTokens: { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 0, text: undefined, reasoning: undefined },
};

describe("the README's code", () => {
  it.each(PAGES_WITH_CODE)("is the code of the examples: %s", (path) => {
    const readme = fromRoot(path);
    expect(withExamples(readme, fromRoot), "run `npm run format`").toBe(readme);
  });

  it("runs: the quick start writes, edits and offloads", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    await import("../examples/quickstart.ts");
    const said = log.mock.calls.map(([text]) => String(text));
    log.mockRestore();
    expect(said[0]).toContain("+- oat milk");
    expect(said[1]).toMatch(/\/large_tool_results\/[0-9a-f-]{36}\//);
    expect(said[1]?.length).toBeLessThan(1000);
  });

  it("runs: the AI SDK agent's own tool is offloaded", async () => {
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) =>
        prompt.some((message) => message.role === "tool")
          ? { content: [{ type: "text", text: JSON.stringify(prompt.at(-1)) }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] }
          : {
              content: [{ type: "tool-call", toolCallId: "1", toolName: "web_search", input: '{"query":"x"}' }],
              finishReason: { unified: "tool-calls", raw: undefined },
              usage,
              warnings: [],
            },
    });
    const session = openSession({ storage: memoryStorage(), sessionId: crypto.randomUUID() });
    const answer = await ask(model, session, "search x");
    expect(answer).toContain("/large_tool_results/");
    expect(answer.length).toBeLessThan(2000);
  });
});

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
storageConformance(
  { describe, it },
  {
    name: "the example's own backend",
    create: async (files = {}) => {
      const storage = mapStorage();
      for (const [path, text] of Object.entries(files)) await storage.write(path, encode(text));
      return storage;
    },
  },
);
