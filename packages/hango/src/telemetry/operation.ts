/** One file operation as a span and its metrics. Messages are never recorded: an error's text may quote a file. */
import { type Attributes, context, isSpanContextValid, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { safeId, safeToolName } from "../session/safe-text.ts";
import type { CallOptions } from "../storage.ts";
import { attribute, type Op } from "./names.ts";
import { quietly, startSpan } from "./quietly.ts";
import { ABORTED, errorType, ruleOf } from "./rule.ts";
import type { Signals } from "./signals.ts";

export interface Operation<T> {
  readonly op: Op;
  /** Agent form, as it was given. */
  readonly path: string | undefined;
  readonly call: CallOptions;
  readonly run: () => Promise<T>;
  /** What the span says of the answer. */
  readonly describe?: (answer: T) => Attributes;
  /** What a change tells after it was made, inside the span. */
  readonly onDone?: (answer: T) => void;
}

/** Runs it, and answers or throws exactly what it does. */
export async function observeOperation<T>(signals: Signals, { op, path, call, run, describe, onDone }: Operation<T>): Promise<T> {
  const { tracer, instruments, identity } = signals;
  const parsed = signals.parse(path);
  const attributes: Attributes = { ...identity, ...(parsed === undefined ? {} : { [attribute.path]: signals.show(parsed) }), ...callAttributes(call) };
  const span = startSpan(tracer, `fs.${op}`, { kind: SpanKind.INTERNAL, attributes });
  // Without an SDK there is no span, and nothing to stand below it.
  const inSpan = isSpanContextValid(span.spanContext()) ? trace.setSpan(context.active(), span) : context.active();
  const start = performance.now();
  let failed: string | undefined;
  try {
    const answer = await (inSpan === context.active() ? run() : context.with(inSpan, run));
    quietly(() => {
      if (describe !== undefined) span.setAttributes(describe(answer));
      if (onDone !== undefined) context.with(inSpan, () => onDone(answer));
    });
    return answer;
  } catch (error) {
    failed = errorType(error, call.signal);
    markFailed(span, failed, parsed);
    throw error;
  } finally {
    const facts = { [attribute.op]: op, ...(failed === undefined ? {} : { [attribute.errorType]: failed }) };
    const seconds = (performance.now() - start) / 1_000;
    quietly(() => {
      instruments.operations.add(1, facts);
      instruments.duration.record(seconds, facts);
      if (failed === "conflict") instruments.conflicts.add(1, { [attribute.op]: op });
    });
    quietly(() => span.end());
  }
}

/** An abort is the caller's own doing, and no error of the span. */
export function markFailed(span: Span, type: string, path: string | undefined): void {
  const rule = ruleOf(type, path);
  span.setAttributes({ [attribute.errorType]: type, ...(rule === undefined ? {} : { [attribute.rule]: rule }) });
  if (type !== ABORTED) span.setStatus({ code: SpanStatusCode.ERROR });
}

function callAttributes({ origin }: CallOptions): Attributes {
  if (origin?.toolCallId === undefined) return {};
  // The storage refuses what is too long or no text, but only after the span has begun.
  const { tool, toolCallId } = origin;
  return { [attribute.toolCallId]: safeId(String(toolCallId)), ...(tool === undefined ? {} : { [attribute.toolName]: safeToolName(String(tool)) }) };
}
