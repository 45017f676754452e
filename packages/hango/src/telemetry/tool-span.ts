/** The span of a tool call: the framework's own where one is open, else one of ours. */
import { type Context, context, type Span, SpanKind, trace } from "@opentelemetry/api";
import { errorTable } from "../errors.ts";
import { safeId, safeToolName } from "../session/safe-text.ts";
import { attribute } from "./names.ts";
import { markFailed } from "./operation.ts";
import { quietly, startSpan } from "./quietly.ts";
import { errorType } from "./rule.ts";
import type { Signals } from "./signals.ts";

export interface ToolCallNames {
  readonly name: string;
  readonly toolCallId: string;
  readonly signal?: AbortSignal | undefined;
}

const EXECUTE_TOOL = "execute_tool";

/** Runs a call of a tool, and answers or throws exactly what it does; a stream stays one. */
export function runTool(signals: Signals, call: ToolCallNames, work: () => unknown): unknown {
  if (isSpanOf(trace.getActiveSpan(), call)) return work();
  const { tracer, identity } = signals;
  const name = safeToolName(call.name);
  const span = startSpan(tracer, `${EXECUTE_TOOL} ${name}`, {
    kind: SpanKind.INTERNAL,
    attributes: {
      ...identity,
      [attribute.genAiOperation]: EXECUTE_TOOL,
      [attribute.toolName]: name,
      [attribute.toolType]: "function",
      ...(call.toolCallId === "" ? {} : { [attribute.toolCallId]: safeId(call.toolCallId) }),
    },
  });
  const inSpan = trace.setSpan(context.active(), span);
  const end = (answer: unknown): void => {
    const failed = errorCodeOf(answer);
    if (failed !== undefined) markFailed(span, failed, undefined);
    quietly(() => span.end());
  };
  const fail = (error: unknown): never => {
    markFailed(span, errorType(error, call.signal), undefined);
    quietly(() => span.end());
    throw error;
  };
  try {
    const result = context.with(inSpan, work);
    if (isStream(result)) return observeStream(result, inSpan, { end, fail });
    if (!isPromise(result)) {
      end(result);
      return result;
    }
    return result.then((answer) => {
      end(answer);
      return answer;
    }, fail);
  } catch (error) {
    return fail(error);
  }
}

/** The API tells nothing of a span; the SDK's own carry their name and attributes. */
function isSpanOf(span: Span | undefined, { name, toolCallId }: ToolCallNames): boolean {
  const known = span as { readonly name?: unknown; readonly attributes?: Readonly<Record<string, unknown>> } | undefined;
  const attributes = known?.attributes ?? {};
  const isTool = attributes[attribute.genAiOperation] === EXECUTE_TOOL || (typeof known?.name === "string" && known.name.startsWith(EXECUTE_TOOL));
  if (!isTool) return false;
  // A tool that runs an agent has a span of its own round that agent's calls.
  const id = attributes[attribute.toolCallId];
  return id === undefined ? (attributes[attribute.toolName] ?? name) === name : id === toolCallId;
}

/** Of a result that is an error: hango's own, or as the AI SDK's file tools answer it. */
function errorCodeOf(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { isError, code, forModel, text } = answer as Readonly<Record<string, unknown>>;
  if (isError !== true || (forModel === undefined && text === undefined)) return undefined;
  return typeof code === "string" && Object.hasOwn(errorTable, code) ? code : "internal";
}

/** Each step goes on as it was asked for, so the stream keeps its own order and end; the span ends with it. One that nobody reads has none. */
function observeStream(
  stream: AsyncIterable<unknown>,
  inSpan: Context,
  { end, fail }: { readonly end: (answer: unknown) => void; readonly fail: (error: unknown) => never },
): AsyncIterableIterator<unknown> {
  let iterator: AsyncIterator<unknown> | undefined;
  let last: unknown;
  let isOver = false;
  const inner = (): AsyncIterator<unknown> => (iterator ??= stream[Symbol.asyncIterator]());

  async function step(work: () => Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> {
    try {
      const result = await context.with(inSpan, work);
      if (result.done !== true) last = result.value;
      else if (!isOver) {
        isOver = true;
        end(last);
      }
      return result;
    } catch (error) {
      if (isOver) throw error;
      isOver = true;
      return fail(error);
    }
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => step(async () => inner().next()),
    // A reader who leaves early ends the tool as well.
    return: (value) => step(async () => (await inner().return?.(value)) ?? { done: true, value }),
  };
}

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
