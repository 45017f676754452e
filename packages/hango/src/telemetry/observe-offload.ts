/** Sees offload as everyone does: through `details.offload` of the result. */
import { trace } from "@opentelemetry/api";
import { SeverityNumber } from "@opentelemetry/api-logs";
import { safeToolName } from "../session/safe-text.ts";
import type { Session, ToolResult } from "../session/vocabulary.ts";
import { attribute, OFFLOADED } from "./names.ts";
import { quietly } from "./quietly.ts";
import type { Signals } from "./signals.ts";

/** A conversation that is sent again makes its old previews again: each is told of once, as long as it is among the last so many. */
const MAX_TOLD = 1_000;

interface Offload {
  readonly path?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly saved: boolean;
}

export function observeOffload(offload: Session["offload"], signals: Signals): Session["offload"] {
  const told = new Set<string>();
  return async (result, call) => {
    const answer = await offload(result, call);
    const facts = answer === result ? undefined : offloadOf(answer);
    const key = facts?.path ?? call.toolCallId;
    if (facts === undefined || told.has(key)) return answer;
    told.add(key);
    if (told.size > MAX_TOLD) told.delete(told.values().next().value as string);
    quietly(() => tell(signals, call.toolName, facts));
    return answer;
  };
}

function offloadOf({ details }: ToolResult): Offload | undefined {
  return details?.["offload"] as Offload | undefined;
}

function tell(signals: Signals, toolName: string, { path, tokensBefore, tokensAfter, saved }: Offload): void {
  const { identity, instruments, logger, spanEvents } = signals;
  const tool = safeToolName(toolName);
  const parsed = signals.parse(path);
  const attributes = {
    [attribute.toolName]: tool,
    ...(parsed === undefined ? {} : { [attribute.path]: signals.show(parsed) }),
    [attribute.tokensBefore]: tokensBefore,
    [attribute.tokensAfter]: tokensAfter,
    [attribute.saved]: saved,
  };
  if (spanEvents) trace.getActiveSpan()?.addEvent(OFFLOADED, attributes);
  logger.emit({
    eventName: OFFLOADED,
    severityNumber: SeverityNumber.INFO,
    severityText: "INFO",
    body: `A result of ${tool} ${saved ? "went to a file" : "could not be saved"}: ${tokensBefore} tokens, of which the model sees ${tokensAfter}`,
    attributes: { ...identity, ...attributes },
  });
  instruments.offloads.add(1, { [attribute.toolName]: tool, [attribute.saved]: saved });
  instruments.resultTokens.record(tokensBefore, { [attribute.view]: "before" });
  instruments.resultTokens.record(tokensAfter, { [attribute.view]: "after" });
}
