/** The door for the AI SDK: a session's file tools as a ToolSet, and offload around the application's own tools. */
import { jsonSchema, tool, type ModelMessage, type ToolSet } from "ai";
import * as z from "zod/mini";
import type { Session, Tool as HangoTool, ToolResult } from "../session/vocabulary.ts";
import { checkOptionNames, HangoError } from "../errors.ts";
import { stackFor, type StackOptions } from "../tools/stack.ts";
import { isPlainObject, STACK_OPTIONS } from "../tools/stack-options.ts";
import { fileToolMark, isFileTool } from "../tools/tool.ts";
import { offloadTool } from "./ai-sdk/offload-output.ts";

/** A tool of the AI SDK with its name, as the slots of a stack hold it. */
export interface AiSdkTool {
  readonly name: string;
  readonly tool: ToolSet[string];
}

export interface AiSdkStackOptions extends StackOptions<AiSdkTool> {
  /** The application's own tools; their large results are offloaded. Tools that the provider defines stay as they are. */
  readonly tools?: ToolSet;
}

/** What generateText, streamText or an agent takes. */
export interface AiSdkStack {
  readonly tools: ToolSet;
  /** For `instructions` or `system`. */
  readonly instructions: string;
  /** Only when a slot changes requests. */
  readonly prepareStep?: (step: { readonly messages: ModelMessage[] }) => Promise<{ readonly messages: ModelMessage[] }>;
}

export type AiSdkToolsOptions = Pick<AiSdkStackOptions, "tools" | "filesystem" | "offload">;

/** An error as the application sees it; the model sees its text as an error of the tool. */
export interface AiSdkFileError {
  readonly isError: true;
  readonly code: string;
  readonly text: string;
}

/**
 * Installs the whole stack: file tools, offload immediately inside them, then the slots given. A step is one batch: a second change of a path in it is refused.
 * Errors: invalid_argument for two tools of one name, and for an option that is unknown or wrong.
 */
export function aiSdkStack(session: Session, options: AiSdkStackOptions = {}): AiSdkStack {
  checkOptionNames("aiSdkStack", options, ["tools", ...STACK_OPTIONS]);
  const { tools: given = {}, ...slots } = options;
  checkToolSet(given);
  const stack = stackFor<AiSdkTool>(session, slots, {
    fileTool: (one) => ({ name: one.name, tool: fileTool(one) }),
    withOffload: (one) => (isOffloadable(one.tool) ? { name: one.name, tool: offloadTool(session, one.name, one.tool) } : one),
  });
  const tools = stack.tools(Object.entries(given).map(([name, tool]) => ({ name, tool })));
  const { prepare, prompt: instructions } = stack;
  return {
    // Entries, so that a tool named __proto__ stays a tool.
    tools: Object.fromEntries(tools.map(({ name, tool }) => [name, tool])) as ToolSet,
    instructions,
    ...(prepare === undefined ? {} : { prepareStep: async ({ messages }) => ({ messages: [...(await prepare({ messages })).messages] as ModelMessage[] }) }),
  };
}

/** The stack's tools alone, where nothing else is wanted. */
export function aiSdkTools(session: Session, options: AiSdkToolsOptions = {}): ToolSet {
  return aiSdkStack(session, options).tools;
}

/** A list has names "0", "1" for its tools, which a model would then call. */
function checkToolSet(given: unknown): void {
  if (isPlainObject(given) && Object.values(given).every(isPlainObject)) return;
  throw new HangoError("invalid_argument", "tools must be an object of tools by name, as generateText takes it.");
}

type AnyTool = ToolSet[string];

function isOffloadable(one: AnyTool): boolean {
  return one.type !== "provider" && !isFileTool(one);
}

function fileTool(one: HangoTool): AnyTool {
  const made = tool<unknown, string | AiSdkFileError, Record<string, never>>({
    description: one.description,
    // Without the SDK's own check: a wrong argument is then answered by the tool, which names it.
    inputSchema: jsonSchema(z.toJSONSchema(one.inputSchema as z.ZodMiniType, { io: "input", target: "draft-7" }) as Parameters<typeof jsonSchema>[0]),
    execute: async (input, { toolCallId, messages, abortSignal: signal }) => {
      const result = await one.execute(input, { toolCallId, batchId: batchOf(messages), ...(signal === undefined ? {} : { signal }) });
      const text = textOf(result);
      return result.isError ? { isError: true, code: result.code ?? "internal", text } : text;
    },
    toModelOutput: ({ output }) => (typeof output === "string" ? { type: "text", value: output } : { type: "error-text", value: output.text }),
  });
  return Object.assign(made, { [fileToolMark]: true });
}

function textOf({ forModel }: ToolResult): string {
  return typeof forModel === "string" ? forModel : forModel.map((part) => ("text" in part ? String(part.text) : "")).join("\n");
}

const histories = new WeakMap<readonly ModelMessage[], number>();
let lastHistory = 0;

/** All calls of a step get the same array of messages; each step has its own, or a longer one when a hand-written loop appends to it. */
function batchOf(messages: readonly ModelMessage[]): string {
  const known = histories.get(messages) ?? ++lastHistory;
  histories.set(messages, known);
  return `step-${known}-${messages.length}`;
}
