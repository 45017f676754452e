/** Offload for a tool of the AI SDK: its own result stays whole for the application, the model gets the preview. */
import type { Tool, ToolSet } from "ai";
import { partsOf } from "../../session/parts.ts";
import type { Part, Session, ToolResult } from "../../session/vocabulary.ts";

type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;
type Call = Parameters<Session["offload"]>[1];

/** Calls whose signal is kept until the model's view of their result is made. */
const MAX_PENDING_CALLS = 256;

/**
 * Wraps a tool. The offload happens where the SDK makes the model's view of a result, which covers text, JSON, content with
 * images, and results that come back from a stored conversation; it is the same on each replay. What a tool throws is bounded as well.
 */
export function offloadTool(session: Session, name: string, tool: ToolSet[string]): ToolSet[string] {
  const signals = new Map<string, AbortSignal>();
  const { execute, toModelOutput } = tool;
  const wrapped: Pick<Tool, "toModelOutput"> = {
    toModelOutput: async (given) => {
      const { toolCallId, output } = given;
      const signal = signals.get(toolCallId);
      signals.delete(toolCallId);
      const call = { toolCallId, toolName: name, ...(signal === undefined ? {} : { signal }) };
      return offloadOutput(session, toModelOutput === undefined ? plainOutput(output) : await toModelOutput(given), call);
    },
  };
  if (execute === undefined) return { ...tool, ...wrapped } as ToolSet[string];
  const run: NonNullable<Tool["execute"]> = (input, options) => {
    const { toolCallId, abortSignal: signal } = options;
    if (signal !== undefined) remember(signals, toolCallId, signal);
    return boundErrors(() => execute(input, options), session, { toolCallId, toolName: name, ...(signal === undefined ? {} : { signal }) });
  };
  return { ...tool, ...wrapped, execute: run } as ToolSet[string];
}

function remember(signals: Map<string, AbortSignal>, toolCallId: string, signal: AbortSignal): void {
  signals.set(toolCallId, signal);
  if (signals.size > MAX_PENDING_CALLS) signals.delete(signals.keys().next().value as string);
}

/** What the SDK itself makes of a result: a string is text, everything else JSON. */
function plainOutput(output: unknown): ModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  const json = JSON.stringify(output);
  return { type: "json", value: json === undefined ? null : JSON.parse(json) };
}

async function offloadOutput(session: Session, output: ModelOutput, call: Call): Promise<ModelOutput> {
  switch (output.type) {
    case "text":
    case "error-text": {
      const result = await session.offload({ isError: output.type === "error-text", forModel: output.value }, call);
      return { ...output, value: textOf(result) };
    }
    case "json":
    case "error-json": {
      const isError = output.type === "error-json";
      const seen: ToolResult = { isError, forModel: JSON.stringify(output.value) };
      if (!isLarge(session, seen)) return output;
      // Lines make the file easy to read and search in parts.
      const lines = JSON.stringify(output.value, undefined, 2);
      const result = await session.offload({ isError, forModel: lines }, call);
      // A preview that would be no smaller is not made: then the JSON as it was is the shortest.
      if (textOf(result) === lines) return output;
      const { providerOptions } = output;
      return { type: isError ? "error-text" : "text", value: textOf(result), ...(providerOptions === undefined ? {} : { providerOptions }) };
    }
    case "content": {
      const result = await session.offload({ isError: false, forModel: output.value as readonly Part[] }, call);
      return { ...output, value: result.forModel as typeof output.value };
    }
    case "execution-denied":
      return output;
  }
}

function isLarge(session: Session, { forModel }: ToolResult): boolean {
  const { estimator, limits } = partsOf(session);
  return typeof forModel === "string" && estimator.estimate(forModel) > limits.toolResultTokens;
}

function textOf({ forModel }: ToolResult): string {
  return typeof forModel === "string" ? forModel : "";
}

type Executed = ReturnType<NonNullable<Tool["execute"]>>;

/** Runs a tool; an error whose text is too large for the context is thrown again with a preview of it as its message. */
function boundErrors(run: () => Executed, session: Session, call: Call): Executed {
  const fail = async (error: unknown): Promise<never> => {
    if (call.signal?.aborted === true) throw error;
    // As the SDK prints it for the model.
    const message = error instanceof Error ? String(error) : typeof error === "string" ? error : (JSON.stringify(error) ?? "");
    const shown = textOf(await session.offload({ isError: true, forModel: message }, call));
    if (shown === message) throw error;
    // Without a name it prints as the preview alone.
    throw Object.assign(new Error(shown, { cause: error }), { name: "" });
  };
  try {
    const result: unknown = run();
    if (isStream(result)) return boundStream(result, fail);
    return isPromise(result) ? result.then(undefined, fail) : result;
  } catch (error) {
    return fail(error);
  }
}

async function* boundStream(stream: AsyncIterable<unknown>, fail: (error: unknown) => Promise<never>): AsyncGenerator<unknown> {
  try {
    yield* stream;
  } catch (error) {
    await fail(error);
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
