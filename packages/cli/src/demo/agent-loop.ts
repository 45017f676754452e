/** The agent's loop through the AI SDK, each call on the screen as it happens. */
import { type LanguageModel, ToolLoopAgent, stepCountIs } from "ai";
import { aiSdkTools } from "hango/ai-sdk";
import { interrupted } from "../interrupt.ts";
import type { Observed } from "../telemetry/invocation.ts";
import type { Report } from "./report-tool.ts";
import { type Screen, tokens } from "./screen.ts";

export const TASK = "Look around, mark one interesting line of a file, get the project report, find one file's part in it, then confirm your mark.";
const MAX_STEPS = 20;

export interface Loop extends Observed {
  readonly model: LanguageModel;
  readonly projects: Report;
}
export interface LoopResult {
  readonly text: string;
  readonly calls: number;
  /** As the model's provider counts them; the scripted model has none. */
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Of all tool results: as the model saw them, and as the tools gave them. Units: tokens, estimated. */
  readonly seenTokens: number;
  readonly rawTokens: number;
}

export async function runLoop(out: Screen, { session, observeTools, model, projects }: Loop): Promise<LoopResult> {
  let [calls, seenTokens, rawTokens] = [0, 0, 0];
  const agent = new ToolLoopAgent({
    model,
    instructions: session.prompt,
    tools: observeTools(aiSdkTools(session, { tools: { project_report: projects.tool } })),
    stopWhen: stepCountIs(MAX_STEPS),
    onStepFinish: ({ toolCalls, response }) => {
      for (const call of toolCalls) {
        const text = seenBy(response.messages, call.toolCallId);
        const seen = tokens(text);
        const raw = call.toolName === "project_report" ? tokens(projects.text()) : undefined;
        calls += 1;
        seenTokens += seen;
        rawTokens += Math.max(seen, raw ?? 0);
        out.call(call.toolName, call.input as Record<string, unknown>);
        out.seen(text, raw === undefined ? {} : { rawTokens: raw });
      }
    },
  });
  const { text, usage } = await agent.generate({ prompt: TASK, abortSignal: interrupted });
  return { text, calls, inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, seenTokens, rawTokens };
}

type Messages = readonly { readonly role: string; readonly content: unknown }[];

/** The text that the next request carries for one tool call. */
function seenBy(messages: Messages, toolCallId: string): string {
  for (const { role, content } of messages) {
    if (role !== "tool" || !Array.isArray(content)) continue;
    for (const part of content as { toolCallId?: string; output?: { value?: unknown } }[])
      if (part.toolCallId === toolCallId) return typeof part.output?.value === "string" ? part.output.value : JSON.stringify(part.output?.value);
  }
  return "";
}
