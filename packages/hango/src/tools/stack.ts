/** The order of what stands around an agent's loop, fixed in one place: filesystem, offload immediately inside it, subagents, summarization. */
import type { RequestShape, Session, Tool } from "../session/vocabulary.ts";
import { fileTools } from "./file-tools.ts";
import { refuseTwins } from "./names.ts";
import { withOffload } from "./offload.ts";

/** What one slot adds to a loop. Everything is optional. */
export interface Slot {
  readonly tools?: readonly Tool[];
  /** Lines for the system prompt. */
  readonly prompt?: string;
  readonly wrapTool?: (tool: Tool) => Tool;
  /** Changes the next request. Summarization stands last, so it sees results that are already offloaded. */
  readonly prepare?: (request: RequestShape) => RequestShape | Promise<RequestShape>;
}

export type SlotName = "filesystem" | "offload" | "subagents" | "summarization";

export interface StackOptions {
  /** The session's file tools and prompt. Default true. */
  readonly filesystem?: boolean;
  /** Large results go to files. Default true. */
  readonly offload?: boolean;
  readonly subagents?: Slot;
  readonly summarization?: Slot;
}

export interface Stack {
  /** The slots that are filled, from the outside in. */
  readonly order: readonly SlotName[];
  readonly prompt: string;
  /** All tools of the loop: the file tools, those given, those of the slots; each wrapped by every slot, the outermost last. Errors: invalid_argument for two of one name. */
  readonly tools: (given: readonly Tool[]) => readonly Tool[];
  readonly prepare: (request: RequestShape) => Promise<RequestShape>;
}

/** Makes the stack of a session. With no slot filled it changes nothing: the same tools, the same request. */
export function createStack(session: Session, options: StackOptions = {}): Stack {
  const { filesystem = true, offload = true, subagents, summarization } = options;
  const slots = new Map<SlotName, Slot>();
  if (filesystem) slots.set("filesystem", { tools: fileTools(session), prompt: session.prompt });
  if (offload) slots.set("offload", { wrapTool: (tool) => withOffload(session, tool) });
  if (subagents !== undefined) slots.set("subagents", subagents);
  if (summarization !== undefined) slots.set("summarization", summarization);
  const filled = [...slots.values()];

  return {
    order: [...slots.keys()],
    prompt: filled.flatMap(({ prompt }) => (prompt === undefined || prompt === "" ? [] : [prompt])).join("\n\n"),
    tools: (given) => {
      const [own = [], ...others] = [slots.get("filesystem")?.tools, slots.get("subagents")?.tools, slots.get("summarization")?.tools];
      const all = [...own, ...given, ...others.flatMap((tools) => tools ?? [])];
      refuseTwins(all.map(({ name }) => name));
      return filled.reduceRight<readonly Tool[]>((tools, { wrapTool }) => (wrapTool === undefined ? tools : tools.map(wrapTool)), all);
    },
    prepare: async (request) => {
      let prepared = request;
      for (const { prepare } of filled) if (prepare !== undefined) prepared = await prepare(prepared);
      return prepared;
    },
  };
}
