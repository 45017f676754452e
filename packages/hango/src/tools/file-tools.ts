import { partsOf } from "../session/parts.ts";
import type { Session, Tool, ToolName } from "../session/vocabulary.ts";
import { grepTool } from "./grep-tool.ts";
import { globTool, lsTool, searchTool } from "./list-tools.ts";
import { readFileTool } from "./read-file.ts";
import { deleteFileTool, editFileTool, writeFileTool } from "./write-tools.ts";

const makers: { readonly [K in ToolName]: (session: Session) => Tool } = {
  ls: lsTool,
  read_file: readFileTool,
  write_file: writeFileTool,
  edit_file: editFileTool,
  glob: globTool,
  grep: grepTool,
  delete_file: deleteFileTool,
  search: searchTool,
};

/** The file tools of a session, in its order; they bound their own output, so withOffload returns them as they are. */
export function fileTools(session: Session): readonly Tool[] {
  return partsOf(session).tools.map((name) => makers[name](session));
}
