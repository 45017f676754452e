import { HangoError, isObject } from "../errors.ts";
import type { Session, Tool, ToolResult } from "../session/vocabulary.ts";
import { isFileTool } from "./tool.ts";

/** Wraps a tool so that a result too large for the context goes to a file. A file tool is returned as it is: it is known by its mark, never by its name. Errors of a call: invalid_argument for a tool that answers no ToolResult. */
export function withOffload(session: Session, tool: Tool): Tool {
  if (isFileTool(tool)) return tool;
  // Named, because a tool may be an instance of a class, whose members a spread leaves behind.
  const { name, description, inputSchema } = tool;
  return {
    ...tool,
    name,
    description,
    inputSchema,
    execute: async (args, call) => {
      const result = resultOf(name, await tool.execute(args, call));
      const { toolCallId, signal } = call;
      return session.offload(result, { toolCallId, toolName: name, ...(signal === undefined ? {} : { signal }) });
    },
  };
}

function resultOf(name: string, answer: unknown): ToolResult {
  const forModel = isObject(answer) ? (answer as { readonly forModel?: unknown }).forModel : undefined;
  if (typeof forModel === "string" || (Array.isArray(forModel) && forModel.every(isObject))) return answer as ToolResult;
  throw new HangoError("invalid_argument", `The tool ${JSON.stringify(name)} answered ${kindOf(answer)}; a Tool answers { isError, forModel }.`);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object whose forModel is neither text nor parts";
  return `a ${typeof value}`;
}
