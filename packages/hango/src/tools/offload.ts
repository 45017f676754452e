import type { Session, Tool } from "../session/vocabulary.ts";
import { isFileTool } from "./tool.ts";

/** Wraps a tool so that a result too large for the context goes to a file. A file tool is returned as it is: it is known by its mark, never by its name. */
export function withOffload(session: Session, tool: Tool): Tool {
  if (isFileTool(tool)) return tool;
  return {
    ...tool,
    execute: async (args, call) => {
      const result = await tool.execute(args, call);
      const { toolCallId, signal } = call;
      return session.offload(result, { toolCallId, toolName: tool.name, ...(signal === undefined ? {} : { signal }) });
    },
  };
}
