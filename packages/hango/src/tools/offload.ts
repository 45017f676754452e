import type { Session, Tool } from "../session/vocabulary.ts";
import { isFileTool } from "./tool.ts";

/** Wraps a tool so that a result too large for the context goes to a file. A file tool is returned as it is: it is known by its mark, never by its name. */
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
      const result = await tool.execute(args, call);
      const { toolCallId, signal } = call;
      return session.offload(result, { toolCallId, toolName: name, ...(signal === undefined ? {} : { signal }) });
    },
  };
}
