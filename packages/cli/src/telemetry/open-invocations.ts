import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { ToolSet } from "ai";
import { isHangoError } from "hango";
import { observeTools, telemetryAttributes as attribute, withTelemetry } from "hango/telemetry";
import { interrupted } from "../interrupt.ts";
import { plain, say } from "../output.ts";
import type { Invocation, InvocationEnd, InvokeAgent } from "./invocation.ts";
import { isLate } from "./is-late.ts";
import type { TelemetrySettings } from "./settings.ts";
import { startSdk, type TroubleFacts, type Troubles } from "./start-sdk.ts";

export interface Invocations {
  readonly invoke: InvokeAgent;
  /** Sends what is left, and says in one line that it was not sent. */
  readonly close: () => Promise<void>;
  /** How long `close` takes at most. */
  readonly closeMs: number;
}

const INVOKE_AGENT = "invoke_agent";
/** As the library names a caller who gave up; no error of the span. */
const ABORTED = "aborted";
/** A run that is told to stop gets this long to end by itself, so that its spans are whole. */
const SETTLE_MS = 1_000;
/** Beyond all waits: the line that says what was not sent comes after the last of them. */
const TELL_MS = 500;
/** Names of agents and models are a person's own words. */
const MAX_NAME_UNITS = 128;

/** Starts the SDK. */
export function openInvocations(settings: TelemetrySettings): Invocations {
  const troubles = firstTrouble();
  const { providers, tracer, close, closeMs } = startSdk(settings, { troubles });
  const running = new Map<Span, Promise<unknown>>();

  function end(span: Span, { errorType, inputTokens, outputTokens }: InvocationEnd): void {
    if (!running.delete(span)) return;
    span.setAttributes({
      ...(errorType === undefined ? {} : { [attribute.errorType]: errorType }),
      ...(inputTokens === undefined ? {} : { "gen_ai.usage.input_tokens": inputTokens }),
      ...(outputTokens === undefined ? {} : { "gen_ai.usage.output_tokens": outputTokens }),
    });
    if (errorType !== undefined && errorType !== ABORTED) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  return {
    invoke: async (invocation, work, describe) => {
      const { namespace, session } = invocation;
      const seen = withTelemetry(session, {
        ...(namespace === undefined ? {} : { tenantId: namespace.tenantId, agentId: namespace.agentId }),
        paths: settings.paths,
        ...providers,
      });
      const observed = { session: seen, observeTools: (tools: ToolSet) => observeTools(seen, tools) };
      if (tracer === undefined) return work(observed);
      const span = tracer.startSpan(`${INVOKE_AGENT} ${named(invocation.name)}`, { kind: SpanKind.INTERNAL, attributes: attributesOf(invocation) });
      const run = context.with(trace.setSpan(context.active(), span), () => work(observed));
      running.set(span, run);
      try {
        const answer = await run;
        end(span, describe(answer));
        return answer;
      } catch (error) {
        end(span, { errorType: errorTypeOf(error) });
        throw error;
      }
    },
    close: async () => {
      await isLate(Promise.allSettled(running.values()), SETTLE_MS);
      for (const span of running.keys()) end(span, { errorType: ABORTED });
      await close();
      troubles.tell();
    },
    closeMs: SETTLE_MS + closeMs + TELL_MS,
  };
}

/** As the GenAI conventions ask, and nothing that anybody wrote: no task, no answer, no message. */
function attributesOf({ name, namespace, model, session }: Invocation): Attributes {
  const { provider, modelId } = typeof model === "string" ? { provider: "gateway", modelId: model } : model;
  return {
    [attribute.genAiOperation]: INVOKE_AGENT,
    "gen_ai.agent.name": named(name),
    // "openai-compatible.chat"
    "gen_ai.provider.name": named(provider.split(".", 1)[0] ?? ""),
    "gen_ai.request.model": named(modelId),
    ...(namespace === undefined
      ? {}
      : { "gen_ai.agent.id": namespace.agentId, [attribute.agentId]: namespace.agentId, [attribute.tenantId]: namespace.tenantId }),
    ...(session.sessionId === undefined ? {} : { "gen_ai.conversation.id": session.sessionId, [attribute.sessionId]: session.sessionId }),
  };
}

function named(text: string): string {
  return plain(text.slice(0, MAX_NAME_UNITS)).toWellFormed();
}

function errorTypeOf(error: unknown): string {
  if (interrupted.aborted) return ABORTED;
  return isHangoError(error) ? error.code : "internal";
}

/** Keeps the first trouble for the end: a collector that is down is one line, and none in the middle of the model's words. */
function firstTrouble(): Troubles & { readonly tell: () => void } {
  let first: string | undefined;
  const keep = ({ telemetry, error }: TroubleFacts): void => {
    first ??= telemetry ?? (error instanceof Error ? error.message : "the collector does not answer");
  };
  return {
    warn: keep,
    error: keep,
    tell: () => {
      if (first !== undefined) say(`the telemetry was not sent, or not all of it (${plain(first)}); the run itself is not affected.`);
    },
  };
}
