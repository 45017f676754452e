import { describe, expect, it } from "vitest";
import { uuidFor } from "../path/uuid.ts";
import { openSession } from "../session/session.ts";
import type { Session, Tool, ToolResult } from "../session/vocabulary.ts";
import { memoryStorage } from "../storages/memory.ts";
import { fileTools } from "./file-tools.ts";
import { withOffload } from "./offload.ts";
import { createStack, type Slot } from "./stack.ts";

const open = (): Session => openSession({ storage: memoryStorage(), sessionId: uuidFor("s1") });
const big = (name: string): Tool => ({ name, description: "", inputSchema: {}, execute: async () => ({ isError: false, forModel: "y".repeat(200_000) }) });
const run = async (tool: Tool | undefined): Promise<ToolResult> => (await tool?.execute({}, { toolCallId: "1" })) as ToolResult;

describe("withOffload", () => {
  it("offloads a large result of any tool, also of one that shares a name with a file tool", async () => {
    const result = await run(withOffload(open(), big("grep")));
    expect(String(result.forModel).length).toBeLessThan(1_000);
    expect(result.details).toMatchObject({ offload: { saved: true } });
  });

  it("returns a file tool as it is, also after a spread and under another name", () => {
    const session = open();
    for (const tool of fileTools(session)) {
      expect(withOffload(session, tool)).toBe(tool);
      const spread = { ...tool, name: "my_own_name" };
      expect(withOffload(session, spread)).toBe(spread);
    }
  });

  it('keeps the name of a tool that is an instance of a class: "the tool had no name and no description"', () => {
    class Query implements Tool {
      get name(): string {
        return "query";
      }
      get description(): string {
        return "Asks.";
      }
      get inputSchema(): unknown {
        return {};
      }
      execute(): Promise<ToolResult> {
        return Promise.resolve({ isError: false, forModel: "" });
      }
    }
    expect(withOffload(open(), new Query())).toMatchObject({ name: "query", description: "Asks.", inputSchema: {} });
  });

  it("keeps what else the tool carries, and passes on what it throws", async () => {
    const tool = withOffload(open(), { ...big("x"), execute: () => Promise.reject(new Error("mine")), extra: 1 } as Tool);
    expect(tool).toMatchObject({ name: "x", extra: 1 });
    await expect(run(tool)).rejects.toThrow(/^mine$/);
  });
});

describe("createStack", () => {
  it("has its slots in one order: filesystem, offload immediately inside it, subagents, summarization", () => {
    expect(createStack(open(), { summarization: {}, subagents: {} }).order).toEqual(["filesystem", "offload", "subagents", "summarization"]);
    expect(createStack(open()).order).toEqual(["filesystem", "offload"]);
    expect(createStack(open(), { filesystem: false, summarization: {} }).order).toEqual(["offload", "summarization"]);
  });

  it("wraps a tool from the inside out: what a subagent's slot does is offloaded after it", async () => {
    const subagents: Slot = {
      tools: [big("task")],
      wrapTool: (tool) => ({ ...tool, execute: async (args, call) => ({ ...(await tool.execute(args, call)), forModel: "z".repeat(300_000) }) }),
    };
    const tools = createStack(open(), { subagents }).tools([big("query")]);
    for (const name of ["query", "task"]) {
      const { details } = await run(tools.find((tool) => tool.name === name));
      expect(details).toMatchObject({ offload: { tokensBefore: 75_000, saved: true } });
    }
    expect(tools.map(({ name }) => name)).toEqual(["ls", "read_file", "write_file", "edit_file", "glob", "grep", "search", "query", "task"]);
  });

  it("refuses two tools of one name, wherever they come from", () => {
    const stack = createStack(open(), { subagents: { tools: [big("task")] } });
    expect(() => stack.tools([big("read_file")])).toThrow('Two tools are named "read_file"');
    expect(() => stack.tools([big("task")])).toThrow('Two tools are named "task"');
  });

  it("lets summarization see the request last", async () => {
    const seen: string[] = [];
    const note = (name: string): Slot => ({ prepare: (request) => ({ ...request, injected: [...(request.injected ?? []), (seen.push(name), name)] }) });
    const stack = createStack(open(), { subagents: note("subagents"), summarization: note("summarization") });
    expect(await stack.prepare?.({ messages: [] })).toEqual({ messages: [], injected: ["subagents", "summarization"] });
    expect(seen).toEqual(["subagents", "summarization"]);
  });

  it("changes nothing when both slots are left out", () => {
    const stack = createStack(open(), { filesystem: false, offload: false });
    const tools = [big("query")];
    expect(stack.tools(tools)).toEqual(tools);
    expect(stack.tools(tools)[0]).toBe(tools[0]);
    expect(stack.prepare).toBeUndefined();
    expect(stack.prompt).toBe("");
    expect(stack.order).toEqual([]);
  });

  it("has the session's prompt with its files", () => {
    const session = open();
    expect(createStack(session, { subagents: { prompt: "Delegate." } }).prompt).toBe(`${session.prompt}\n\nDelegate.`);
  });

  it('refuses what it would ignore: "my tools and my subagent were not there, and nobody said so"', () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ tools: [big("query")] }, '"tools"'],
      [{ subagent: {} }, '"subagent"'],
      [{ filesystem: "false" }, "filesystem must be true or false"],
      [{ offload: 0 }, "offload must be true or false"],
      [{ subagents: null }, "subagents must be an object"],
      [{ summarization: [] }, "summarization must be an object"],
      [{ subagents: { tool: big("task") } }, '"tool"'],
      [{ subagents: { tools: { task: big("task") } } }, "subagents.tools must be a list of tools"],
      [{ subagents: { tools: [null] } }, "subagents.tools must be a list of tools"],
      [{ subagents: { prompt: 7 } }, "subagents.prompt must be text"],
      [{ summarization: { prepare: {} } }, "summarization.prepare must be a function"],
      [null, "options of a stack"],
    ];
    for (const [options, message] of wrong)
      expect(() => createStack(open(), options as never), message).toThrow(
        expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining(message) }),
      );
    expect(createStack(open(), { filesystem: undefined, subagents: undefined } as never).order).toEqual(["filesystem", "offload"]);
    expect(() => createStack(open()).tools({ query: big("query") } as never)).toThrow("must be a list of tools");
  });

  it("refuses a wrapTool that forgets to return the tool", () => {
    const stack = createStack(open(), { subagents: { wrapTool: () => undefined as never } });
    expect(() => stack.tools([big("query")])).toThrow("wrapTool must return a tool");
  });
});
