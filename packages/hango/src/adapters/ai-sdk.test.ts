import { dynamicTool, generateText, isStepCount, jsonSchema, tool, ToolLoopAgent, type ModelMessage, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { uuidFor } from "../path/uuid.ts";
import { openSession, type SessionOptions } from "../session/session.ts";
import type { Session } from "../session/vocabulary.ts";
import { memoryStorage } from "../storages/memory.ts";
import { aiSdkStack, aiSdkTools } from "./ai-sdk.ts";

type Generate = MockLanguageModelV4["doGenerate"];
type Generated = Awaited<ReturnType<Generate>>;
type Prompt = Parameters<Generate>[0]["prompt"];
type Move = { readonly say: string } | readonly { readonly tool: string; readonly input: object }[];

const usage: Generated["usage"] = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const noInput = jsonSchema<Record<string, never>>({ type: "object", properties: {} });
const open = (options: Partial<SessionOptions> = {}): Session => openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), ...options });

/** A model that plays moves; each sees the text of the last results. Its requests are kept as they were sent. */
function scripted(moves: readonly ((seen: readonly string[]) => Move)[]): { readonly model: MockLanguageModelV4; readonly requests: string[] } {
  const requests: string[] = [];
  let turn = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt, tools }) => {
      requests.push(JSON.stringify({ prompt, tools }));
      const move = moves[turn++]?.(lastResults(prompt)) ?? { say: "done" };
      const content: Generated["content"] =
        "say" in move
          ? [{ type: "text", text: move.say }]
          : move.map(({ tool: toolName, input }, index) => ({
              type: "tool-call",
              toolCallId: `call_${turn}_${index}`,
              toolName,
              input: JSON.stringify(input),
            }));
      return { content, finishReason: { unified: "say" in move ? "stop" : "tool-calls", raw: undefined }, usage, warnings: [] };
    },
  });
  return { model, requests };
}

function lastResults(prompt: Prompt): readonly string[] {
  const message = prompt.at(-1);
  if (message?.role !== "tool") return [];
  return message.content.map((part) =>
    part.type === "tool-result" && "value" in part.output
      ? typeof part.output.value === "string"
        ? part.output.value
        : JSON.stringify(part.output.value)
      : "",
  );
}

async function play(
  tools: ToolSet,
  moves: readonly ((seen: readonly string[]) => Move)[],
): Promise<{ readonly text: string; readonly requests: readonly string[] }> {
  const { model, requests } = scripted(moves);
  const { text } = await generateText({ model, tools, prompt: "go", stopWhen: isStepCount(20) });
  return { text, requests };
}

const pathIn = (text: string): string => /\/large_tool_results\/\S+/.exec(text)?.[0] ?? "";

describe("a loop in which a tool returns 100,000 characters", () => {
  const filler = Array.from({ length: 4_000 }, (_, index) => `row ${index} of a long answer`);
  const shapes: Readonly<Record<string, string>> = {
    "many lines": [...filler.slice(0, 2_000), "here is the NEEDLE-4711 you want", ...filler.slice(2_000)].join("\n"),
    "a single line": [...filler.slice(0, 2_000), "here is the NEEDLE-4711 you want", ...filler.slice(2_000)].join(" "),
  };
  for (const [shape, payload] of Object.entries(shapes))
    it(`sends the preview and not the payload, and the model finds its needle with grep and read_file, for ${shape}`, async () => {
      expect(payload.length).toBeGreaterThan(99_000);
      const session = open();
      const tools = aiSdkTools(session, { tools: { query: tool({ description: "", inputSchema: noInput, execute: async () => payload }) } });
      let path = "";
      let preview = "";
      const { requests, text } = await play(tools, [
        () => [{ tool: "query", input: {} }],
        ([seen = ""]) => {
          preview = seen;
          path = pathIn(seen);
          return [{ tool: "grep", input: { pattern: "NEEDLE-[0-9]+", path } }];
        },
        ([seen = ""]) => {
          const [, line = "1"] = /:(\d+): /.exec(seen) ?? [];
          const [, column = "1"] = /\[match at column (\d+)\]/.exec(seen) ?? [];
          return [{ tool: "read_file", input: { path, offset: Number(line), limit: 1, column: Number(column) } }];
        },
        ([seen = ""]) => ({ say: /NEEDLE-\d+/.exec(seen)?.[0] ?? "not found" }),
      ]);
      expect(text).toBe("NEEDLE-4711");
      expect(preview.length).toBeLessThan(1_000);
      expect(requests[1]).not.toContain("row 1000 of");
      expect(Math.max(...requests.map(({ length }) => length))).toBeLessThan(30_000);
      expect((await session.storage.read(path.slice(1))).bytes.length).toBe(payload.length);
    });

  it("is byte for byte a loop without hango when neither slot is installed", async () => {
    const own = (): ToolSet => ({ query: tool({ description: "Asks.", inputSchema: noInput, execute: async () => "x".repeat(100_000) }) });
    const moves = [() => [{ tool: "query", input: {} }], () => ({ say: "done" })];
    const bare = await play(own(), moves);
    const tools = own();
    const same = aiSdkTools(open(), { tools, filesystem: false, offload: false });
    expect(same["query"]).toBe(tools["query"]);
    expect((await play(same, moves)).requests).toEqual(bare.requests);
  });

  it("installs the slots in the stack's order: a subagent's large answer is offloaded, and summarization sees the request last", async () => {
    const session = open();
    const task = tool({ description: "Delegates.", inputSchema: noInput, execute: async () => "z".repeat(100_000) });
    const seen: string[] = [];
    const stack = aiSdkStack(session, {
      subagents: { tools: [{ name: "task", tool: task }], prompt: "Delegate." },
      summarization: {
        prepare: (request) => {
          seen.push(JSON.stringify(request.messages));
          return request;
        },
      },
    });
    expect(stack.instructions).toBe(`${session.prompt}\n\nDelegate.`);
    const { model } = scripted([() => [{ tool: "task", input: {} }]]);
    await generateText({ model, prompt: "go", stopWhen: isStepCount(2), ...stack });
    expect(seen).toHaveLength(2);
    expect(seen[1]).toContain("/large_tool_results/");
    expect(seen[1]?.length).toBeLessThan(2_500);
    expect(aiSdkStack(session).prepareStep).toBeUndefined();
  });

  it("works in an agent with the session's prompt", async () => {
    const session = open();
    const { model, requests } = scripted([() => [{ tool: "write_file", input: { path: "/a.md", content: "hi" } }]]);
    const agent = new ToolLoopAgent({ model, instructions: session.prompt, tools: aiSdkTools(session), stopWhen: isStepCount(3) });
    await agent.generate({ prompt: "go" });
    expect(requests[0]).toContain("/memories/");
    expect((await session.fs.read("/a.md")).lines[0]?.text).toBe("hi");
  });
});

describe("results of the application's own tools", () => {
  const limits = { toolResultTokens: 100 };
  const view = async (tools: ToolSet, name: string): Promise<{ readonly output: unknown; readonly whole: unknown }> => {
    const { model } = scripted([() => [{ tool: name, input: {} }]]);
    const { steps } = await generateText({ model, tools, prompt: "go", stopWhen: isStepCount(2) });
    const message = steps[0]?.response.messages.find(({ role }) => role === "tool");
    const part = message?.role === "tool" ? message.content[0] : undefined;
    return { output: part?.type === "tool-result" ? part.output : undefined, whole: steps[0]?.toolResults[0]?.output };
  };
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `n${id}` }));

  it("leaves JSON as it is where a preview would be no smaller: 261 characters became 530", async () => {
    const few = rows.slice(0, 14);
    expect(JSON.stringify(few).length).toBeGreaterThan(4 * 50);
    const session = open({ limits: { toolResultTokens: 50 } });
    const tools = aiSdkTools(session, { tools: { few: tool({ description: "", inputSchema: noInput, execute: async () => few }) } });
    expect((await view(tools, "few")).output).toEqual({ type: "json", value: few });
  });

  it("that are JSON become a preview of readable lines; the application keeps the value", async () => {
    const session = open({ limits });
    const tools = aiSdkTools(session, {
      tools: { q: tool({ inputSchema: noInput, execute: async () => rows }), s: tool({ inputSchema: noInput, execute: async () => ({ ok: true }) }) },
    });
    const large = await view(tools, "q");
    expect(large.output).toMatchObject({ type: "text" });
    expect(large.whole).toEqual(rows);
    const path = pathIn(String((large.output as { readonly value: string }).value));
    expect(JSON.parse(new TextDecoder().decode((await session.storage.read(path.slice(1))).bytes))).toEqual(rows);
    expect((await view(tools, "s")).output).toEqual({ type: "json", value: { ok: true } });
  });

  it("that are content keep their images", async () => {
    const image = { type: "file", data: { type: "data", data: "A".repeat(5_000) }, mediaType: "image/png" } as const;
    const shot = tool({
      inputSchema: noInput,
      execute: async () => "seen",
      toModelOutput: () => ({ type: "content", value: [image, { type: "text", text: "t".repeat(5_000) }] }),
    });
    const { output } = await view(aiSdkTools(open({ limits }), { tools: { shot } }), "shot");
    expect(output).toMatchObject({ type: "content", value: [image, { type: "text" }] });
    expect(JSON.stringify(output)).not.toContain("t".repeat(1_000));
  });

  it("of a dynamic tool, of a tool that streams, and what a tool throws are bounded as well", async () => {
    const tools = aiSdkTools(open({ limits }), {
      tools: {
        dynamic: dynamicTool({ inputSchema: noInput, execute: async () => "d".repeat(5_000) }),
        stream: tool({
          inputSchema: noInput,
          execute: async function* () {
            yield "part";
            yield "s".repeat(5_000);
          },
        }),
        fails: tool({ inputSchema: noInput, execute: async (): Promise<string> => Promise.reject(new Error(`line\n${"e".repeat(5_000)}`)) }),
        short: tool({ inputSchema: noInput, execute: async (): Promise<string> => Promise.reject(new Error("no such row")) }),
      },
    });
    for (const [name, type] of [
      ["dynamic", "text"],
      ["stream", "text"],
      ["fails", "error-text"],
    ] as const) {
      const { output } = await view(tools, name);
      expect([name, output]).toEqual([name, { type, value: expect.stringContaining("/large_tool_results/") }]);
      expect(String((output as { readonly value: string }).value)).toMatch(/^The result of/);
      expect(String((output as { readonly value: string }).value).length).toBeLessThan(1_000);
    }
    expect((await view(tools, "short")).output).toEqual({ type: "error-text", value: "Error: no such row" });
  });

  it("of a provider's tool stay as they are, and so does a tool without results of its own", () => {
    const provider = { type: "provider", isProviderExecuted: true, id: "x.search", args: {}, inputSchema: noInput } as unknown as ToolSet[string];
    expect(aiSdkTools(open(), { tools: { provider } })["provider"]).toBe(provider);
  });

  it("give the same preview when a stored conversation is sent again", async () => {
    const tools = aiSdkTools(open({ limits }), { tools: { q: tool({ inputSchema: noInput, execute: async () => "" }) } });
    const given = { toolCallId: "c1", input: {}, output: "line\n".repeat(500) };
    expect(await tools["q"]?.toModelOutput?.(given)).toEqual(await tools["q"]?.toModelOutput?.(given));
  });
});

describe("the file tools in a loop", () => {
  it("take a step as one batch, and the next step as another", async () => {
    const session = open();
    await session.fs.write("/r.txt", "a\nb\n");
    const edit = (old_string: string): { readonly tool: string; readonly input: object } => ({
      tool: "edit_file",
      input: { path: "/r.txt", old_string, new_string: old_string.toUpperCase() },
    });
    const seen: (readonly string[])[] = [];
    await play(aiSdkTools(session), [
      () => [edit("a"), edit("b")],
      (results) => {
        seen.push(results);
        return [edit("b")];
      },
      (results) => {
        seen.push(results);
        return { say: "done" };
      },
    ]);
    expect(seen[0]?.[1]).toContain("Error (duplicate_mutation)");
    expect(seen[1]?.[0]).toContain("Replaced 1 occurrence");
    expect((await session.fs.read("/r.txt")).lines.map(({ text }) => text)).toEqual(["A", "B"]);
  });

  it('take each turn of a hand-written loop as a batch of its own: "duplicate_mutation for the second write of a path, for ever"', async () => {
    const write = aiSdkTools(open())["write_file"]?.execute;
    const messages: ModelMessage[] = [];
    const call = (content: string): unknown => write?.({ path: "/a", content }, { toolCallId: content, messages, context: {} });
    expect(await Promise.all([call("1"), call("2")])).toEqual([expect.stringContaining("Wrote"), expect.objectContaining({ code: "duplicate_mutation" })]);
    messages.push({ role: "user", content: "go on" });
    expect(await call("3")).toEqual(expect.stringContaining("Wrote"));
  });

  it("answer errors as errors of the tool, wrong arguments included, and the loop goes on", async () => {
    const { requests, text } = await play(aiSdkTools(open()), [
      () => [
        { tool: "read_file", input: { path: "/none" } },
        { tool: "read_file", input: { path: "/none", offset: "abc" } },
        { tool: "read_file", input: { path: "/none", offset: "1" } },
      ],
      (results) => {
        expect(results[0]).toContain("Error (not_found)");
        expect(results[1]).toContain("offset must be a whole number");
        expect(results[2]).toContain("Error (not_found)");
        return { say: "still here" };
      },
    ]);
    expect(text).toBe("still here");
    expect(requests[1]).toContain('"type":"error-text"');
  });

  it("send the model plain JSON Schema with whole numbers", async () => {
    const { requests } = await play(aiSdkTools(open()), [() => ({ say: "done" })]);
    const { tools } = JSON.parse(requests[0] ?? "") as {
      readonly tools: readonly { readonly name: string; readonly inputSchema: { readonly properties: Record<string, { readonly type: string }> } }[];
    };
    expect(tools.find(({ name }) => name === "read_file")?.inputSchema.properties["offset"]?.type).toBe("integer");
  });

  it("stop at an abort", async () => {
    const controller = new AbortController();
    const execute = aiSdkTools(open())["ls"]?.execute;
    controller.abort(new Error("stop"));
    await expect(execute?.({}, { toolCallId: "1", messages: [], context: {}, abortSignal: controller.signal })).rejects.toThrow(/^stop$/);
  });

  it("refuse a name that is taken", () => {
    expect(() => aiSdkTools(open(), { tools: { grep: tool({ inputSchema: noInput, execute: async () => "" }) } })).toThrow("grep");
  });

  it('refuse tools that are no set of tools: "a list became tools named 0 and 1"', () => {
    const one = tool({ inputSchema: noInput, execute: async () => "" });
    for (const tools of [[one], "x", null, { query: undefined }, { query: [one] }])
      expect(() => aiSdkTools(open(), { tools: tools as never })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
    expect(() => aiSdkStack(open(), { subagent: {} } as never)).toThrow('aiSdkStack has no option "subagent"');
    expect(() => aiSdkStack(open(), { filesystem: "false" as never })).toThrow("filesystem must be true or false");
  });
});
