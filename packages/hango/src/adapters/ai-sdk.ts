/** The door for the AI SDK: a session's file tools as a ToolSet, and offload around the application's own tools. */
import { jsonSchema, tool, type ModelMessage, type ToolSet } from "ai";
import * as z from "zod/mini";
import type { Session, Tool as HangoTool, ToolResult } from "../session/vocabulary.ts";
import { fileTools } from "../tools/file-tools.ts";
import { refuseTwins } from "../tools/names.ts";
import { fileToolMark, isFileTool } from "../tools/tool.ts";
import { offloadTool } from "./ai-sdk/offload-output.ts";

export interface AiSdkToolsOptions {
  /** The application's own tools; their large results are offloaded. Tools that the provider defines stay as they are. */
  readonly tools?: ToolSet;
  /** Adds the session's file tools. Default true. */
  readonly filesystem?: boolean;
  /** Offloads large results of `tools`. Default true. */
  readonly offload?: boolean;
}

/** An error as the application sees it; the model sees its text as an error of the tool. */
export interface AiSdkFileError {
  readonly isError: true;
  readonly code: string;
  readonly text: string;
}

/**
 * Makes the ToolSet for generateText, streamText or an agent. A step is one batch: a second change of a path in it is refused.
 * Errors: invalid_argument when one of `tools` has the name of a file tool.
 */
export function aiSdkTools(session: Session, options: AiSdkToolsOptions = {}): ToolSet {
  const { tools: given = {}, filesystem = true, offload = true } = options;
  const own = filesystem ? fileTools(session).map((one) => [one.name, fileTool(one)] as const) : [];
  refuseTwins([...own.map(([name]) => name), ...Object.keys(given)]);
  const others = Object.entries(given).map(([name, one]) => [name, offload && isOffloadable(one) ? offloadTool(session, name, one) : one] as const);
  // Entries, so that a tool named __proto__ stays a tool.
  return Object.fromEntries([...own, ...others]) as ToolSet;
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
