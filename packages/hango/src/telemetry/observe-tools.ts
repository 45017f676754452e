/** Tools that are seen, whatever framework's they are: those that run as `execute(input, { toolCallId })`. */
import { isFileTool } from "../tools/tool.ts";
import type { Session } from "../session/vocabulary.ts";
import type { Signals } from "./signals.ts";
import { isStream, runTool } from "./tool-span.ts";
import { signalsOf } from "./with-telemetry.ts";

/** How a tool looks here: one of hango's own, or of the AI SDK. */
interface Executable {
  readonly name?: unknown;
  readonly execute?: unknown;
  readonly toModelOutput?: unknown;
}
interface ToolCallFacts {
  readonly toolCallId?: string;
  /** In hango's own tools, and in the AI SDK's. */
  readonly signal?: AbortSignal;
  readonly abortSignal?: AbortSignal;
}
type Execute = (input: unknown, call: ToolCallFacts) => unknown;
type ToModelOutput = (given: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown }) => unknown;

/** The model's views of results that were made early, until they are asked for. */
const MAX_WAITING_VIEWS = 256;

/**
 * The same tools, a list or a set by name, each call under an `execute_tool` span: the framework's where one is open, else one of ours.
 * The tools of a session that nobody observes are answered as they are.
 */
export function observeTools<T extends readonly object[] | Readonly<Record<string, object>>>(session: Session, tools: T): T {
  const signals = signalsOf(session);
  if (signals === undefined) return tools;
  if (Array.isArray(tools)) return tools.map((tool: Executable) => observeTool(tool, String(tool.name ?? "tool"), signals)) as unknown as T;
  // Entries, so that a tool named __proto__ stays a tool.
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, observeTool(tool, name, signals)])) as T;
}

function observeTool(tool: Executable, name: string, signals: Signals): object {
  if (typeof tool.execute !== "function") return tool;
  // Asked of the tool each time, which may be an instance of a class.
  const execute: Execute = (input, call) => (tool.execute as Execute)(input, call);
  // From code without types a call may be missing, which is the tool's to say.
  const run = (call: ToolCallFacts | undefined, work: () => unknown): unknown =>
    runTool(signals, { name, toolCallId: call?.toolCallId ?? "", signal: call?.signal ?? call?.abortSignal }, work);
  // A file tool bounds its own answer, so nothing of it is offloaded.
  if (typeof tool.toModelOutput !== "function" || isFileTool(tool))
    return { ...tool, ...named(tool), execute: (input: unknown, call: ToolCallFacts) => run(call, () => execute(input, call)) };
  return { ...tool, ...named(tool), ...withEarlyView(tool, execute, run) };
}

/** What a spread leaves behind of an instance of a class. */
function named(tool: Executable): object {
  const { name, description, inputSchema } = tool as { readonly name?: unknown; readonly description?: unknown; readonly inputSchema?: unknown };
  return Object.fromEntries(Object.entries({ name, description, inputSchema }).filter(([, value]) => value !== undefined));
}

/**
 * The AI SDK makes the model's view of a result, where offload happens, after the tool's span has ended. Here it is made inside the span,
 * from the same result, and handed out when the SDK asks for it: once made, never made twice.
 */
function withEarlyView(tool: Executable, execute: Execute, run: (call: ToolCallFacts | undefined, work: () => unknown) => unknown): object {
  const views = new Map<string, { readonly output: unknown; readonly view: Promise<unknown> }>();
  const toModelOutput: ToModelOutput = (given) => (tool.toModelOutput as ToModelOutput)(given);

  async function makeView(input: unknown, toolCallId: string, output: unknown): Promise<void> {
    const view = new Promise<unknown>((resolve) => resolve(toModelOutput({ toolCallId, input, output })));
    views.set(toolCallId, { output, view });
    if (views.size > MAX_WAITING_VIEWS) views.delete(views.keys().next().value as string);
    // One that fails is the SDK's to hear of, when it asks.
    await view.then(undefined, () => undefined);
  }

  return {
    execute: (input: unknown, call: ToolCallFacts) =>
      run(call, () => {
        const result = execute(input, call);
        if (isStream(result)) return result;
        return Promise.resolve(result).then(async (output) => {
          if (call?.toolCallId !== undefined) await makeView(input, call.toolCallId, output);
          return output;
        });
      }),
    toModelOutput: (given: Parameters<ToModelOutput>[0]) => {
      const early = views.get(given.toolCallId);
      views.delete(given.toolCallId);
      return early !== undefined && early.output === given.output ? early.view : toModelOutput(given);
    },
  };
}
