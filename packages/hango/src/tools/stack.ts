/** The order of what stands around an agent's loop, fixed in one place: filesystem, offload immediately inside it, subagents, summarization. */
import type { RequestShape, Session, Tool } from "../session/vocabulary.ts";
import { fileTools } from "./file-tools.ts";
import { refuseTwins } from "./names.ts";
import { withOffload } from "./offload.ts";
import { checkStackOptions, checkTools, checkWrapped } from "./stack-options.ts";

/** A tool in whatever shape a framework has it, with its name. */
export interface Named {
  readonly name: string;
}

/** What one slot adds to a loop. Everything is optional. */
export interface Slot<T extends Named = Tool> {
  readonly tools?: readonly T[];
  /** Lines for the system prompt. */
  readonly prompt?: string;
  readonly wrapTool?: (tool: T) => T;
  /** Changes the next request. Summarization stands last, so it sees results that are already offloaded. */
  readonly prepare?: (request: RequestShape) => RequestShape | Promise<RequestShape>;
}

export type SlotName = "filesystem" | "offload" | "subagents" | "summarization";

export interface StackOptions<T extends Named = Tool> {
  /** The session's file tools and prompt. Default true. */
  readonly filesystem?: boolean;
  /** Large results go to files. Default true. */
  readonly offload?: boolean;
  readonly subagents?: Slot<T>;
  readonly summarization?: Slot<T>;
}

/** What a framework's adapter brings: how a file tool looks there, and how the result of a tool is offloaded there. */
export interface StackDoor<T extends Named> {
  readonly fileTool: (tool: Tool) => T;
  readonly withOffload: (tool: T) => T;
}

export interface Stack<T extends Named = Tool> {
  /** The slots that are filled, from the outside in. */
  readonly order: readonly SlotName[];
  readonly prompt: string;
  /** All tools of the loop: the file tools, those given, those of the slots; each wrapped by every slot, the outermost last. Errors: invalid_argument for two of one name. */
  readonly tools: (given: readonly T[]) => readonly T[];
  /** Undefined when no slot changes requests. */
  readonly prepare: ((request: RequestShape) => Promise<RequestShape>) | undefined;
}

/**
 * Makes the stack of a session for hango's own Tools. With no slot filled it changes nothing: the same tools, the same request.
 * Errors: invalid_argument for an option that is unknown or wrong.
 */
export function createStack(session: Session, options: StackOptions = {}): Stack {
  return stackFor(session, options, { fileTool: (tool) => tool, withOffload: (tool) => withOffload(session, tool) });
}

/** The same in a framework's own shape of tools. */
export function stackFor<T extends Named>(session: Session, options: StackOptions<T>, door: StackDoor<T>): Stack<T> {
  checkStackOptions(options);
  const { filesystem = true, offload = true, subagents, summarization } = options;
  const slots = new Map<SlotName, Slot<T>>();
  if (filesystem) slots.set("filesystem", { tools: fileTools(session).map(door.fileTool), prompt: session.prompt });
  if (offload) slots.set("offload", { wrapTool: door.withOffload });
  if (subagents !== undefined) slots.set("subagents", subagents);
  if (summarization !== undefined) slots.set("summarization", summarization);
  const filled = [...slots.values()];

  return {
    order: [...slots.keys()],
    prompt: filled.flatMap(({ prompt }) => (prompt === undefined || prompt === "" ? [] : [prompt])).join("\n\n"),
    tools: (given) => {
      checkTools("What stack.tools takes", given);
      const [own = [], ...others] = [slots.get("filesystem")?.tools, slots.get("subagents")?.tools, slots.get("summarization")?.tools];
      const all = [...own, ...given, ...others.flatMap((tools) => tools ?? [])];
      refuseTwins(all.map(({ name }) => name));
      return filled.reduceRight<readonly T[]>(
        (tools, { wrapTool }) => (wrapTool === undefined ? tools : tools.map((tool) => checkWrapped(wrapTool(tool), tool.name))),
        all,
      );
    },
    prepare: filled.some(({ prepare }) => prepare !== undefined) ? (request) => prepareAll(filled, request) : undefined,
  };
}

async function prepareAll(filled: readonly Pick<Slot, "prepare">[], request: RequestShape): Promise<RequestShape> {
  let prepared = request;
  for (const { prepare } of filled) if (prepare !== undefined) prepared = await prepare(prepared);
  return prepared;
}
