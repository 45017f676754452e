/** Runs the model with the session's tools and shows what happens as it happens. */
import { type LanguageModel, type ToolSet, stepCountIs, streamText } from "ai";
import { aiSdkStack } from "hango/ai-sdk";
import type { Observed } from "../telemetry/invocation.ts";
import type { RunScreen } from "./run-screen.ts";
import { explainFailure } from "./explain-failure.ts";

export interface RunOptions extends Observed {
  readonly model: LanguageModel;
  readonly task: string;
  readonly maxSteps: number;
  /** How long the model may be silent. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RunEnd {
  /** "cut": the model wanted to go on; "failed": with `reason`. Whatever was changed until then is pending in each case. */
  readonly how: "finished" | "cut" | "interrupted" | "failed";
  /** One line, without a final full stop. */
  readonly reason: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const INSTRUCTIONS = `You work on a person's files with the tools you have; they are the only way to see or change anything.
Look before you change, change only what the task needs, and end with a short summary of what you did.
Nothing you write reaches the files before the person has seen all changes as one diff and agreed to them.`;

/** Never rejects for what the model or the network does. */
export async function followRun({ model, session, observeTools, task, maxSteps, timeoutMs, signal }: RunOptions, screen: RunScreen): Promise<RunEnd> {
  const { tools, instructions } = aiSdkStack(session);
  const told = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const end = (how: RunEnd["how"], reason = ""): RunEnd => ({ how: signal.aborted ? "interrupted" : how, reason, ...told });
  const started = new Map<string, number>();
  // What the SDK says of itself is not for the person at this terminal.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  try {
    const run = streamText({
      model,
      system: `${INSTRUCTIONS}\n${instructions}`,
      prompt: task,
      tools: observeTools(tools),
      stopWhen: stepCountIs(maxSteps),
      abortSignal: signal,
      timeout: { firstChunkMs: timeoutMs, chunkMs: timeoutMs },
      // The stream carries it too; the default prints it.
      onError: () => undefined,
    });
    for await (const part of run.stream) {
      if (part.type === "text-delta") screen.text(part.text);
      else if (part.type === "text-end") screen.rest();
      else if (part.type === "tool-call") started.set(part.toolCallId, performance.now());
      else if (part.type === "tool-result" || part.type === "tool-error") {
        told.calls += 1;
        screen.call({ ...outcomeOf(part), tool: part.toolName, input: part.input, ms: since(started, part.toolCallId) });
      } else if (part.type === "finish-step") {
        told.inputTokens += part.usage.inputTokens ?? 0;
        told.outputTokens += part.usage.outputTokens ?? 0;
      } else if (part.type === "error") return end("failed", explainFailure(part.error));
      else if (part.type === "abort") return end("failed", explainFailure(new DOMException("silent", "TimeoutError")));
      else if (part.type === "finish") return finished(part.finishReason, maxSteps, end);
    }
    return end("failed", "the model's answer ended before it was complete");
  } catch (error) {
    return end("failed", explainFailure(error));
  } finally {
    screen.rest();
  }
}

function finished(reason: string, maxSteps: number, end: (how: RunEnd["how"], reason?: string) => RunEnd): RunEnd {
  if (reason === "stop") return end("finished");
  if (reason === "tool-calls") return end("cut", `it was not done after ${maxSteps} steps; --max-steps allows more`);
  if (reason === "length") return end("cut", "its answer reached the model's limit of tokens");
  if (reason === "content-filter") return end("cut", "the provider's content filter ended the answer");
  return end("cut", "the model ended without saying that it is done");
}

type Ended = Extract<Part, { readonly type: "tool-result" | "tool-error" }>;
type Part = ReturnType<typeof streamText<ToolSet>>["stream"] extends AsyncIterable<infer P> ? P : never;

/** The first line of the answer says it for changes, the number of lines for what was read. */
function outcomeOf(part: Ended): { readonly outcome: string; readonly failed: boolean } {
  if (part.type === "tool-error") return { failed: true, outcome: firstLine(part.error instanceof Error ? part.error.message : String(part.error)) };
  const output: unknown = part.output;
  if (typeof output !== "string") return { failed: true, outcome: firstLine((output as { readonly text?: string } | undefined)?.text ?? "") };
  const isChange = ["write_file", "edit_file", "delete_file"].includes(part.toolName);
  const lines = output.split("\n").length;
  return { failed: false, outcome: isChange || lines === 1 ? firstLine(output) : `${lines} lines` };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function since(started: Map<string, number>, toolCallId: string): number {
  const from = started.get(toolCallId) ?? performance.now();
  started.delete(toolCallId);
  return performance.now() - from;
}
