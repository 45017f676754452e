/** A model that needs no key: it follows a script, but acts on what it really sees in its prompt. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4GenerateResult } from "@ai-sdk/provider";

export type Move = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } | { readonly say: string };
/** Given the text of the last tool result, as the model sees it. Undefined: there is nothing to do in this step. */
export type Step = (seen: string) => Move | undefined | Promise<Move | undefined>;

const usage: LanguageModelV4GenerateResult["usage"] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

export function scriptedModel(steps: readonly Step[]): LanguageModelV4 {
  let turn = 0;
  return {
    specificationVersion: "v4",
    provider: "hango",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async ({ prompt }) => {
      let move: Move | undefined;
      while (move === undefined && turn < steps.length) move = await steps[turn++]?.(lastResult(prompt));
      move ??= { say: "Done." };
      const content: LanguageModelV4Content[] =
        "say" in move
          ? [{ type: "text", text: move.say }]
          : [{ type: "tool-call", toolCallId: `call_${turn}`, toolName: move.tool, input: JSON.stringify(move.input) }];
      return { content, finishReason: { unified: "say" in move ? "stop" : "tool-calls", raw: undefined }, usage, warnings: [] };
    },
    doStream: async () => {
      throw new Error("The scripted model answers whole; use generate, not stream.");
    },
  };
}

/** The text of the newest tool result in a prompt; empty when there is none. */
export function lastResult(prompt: LanguageModelV4CallOptions["prompt"]): string {
  const message = prompt.at(-1);
  if (message?.role !== "tool") return "";
  const part = message.content.at(-1);
  if (part?.type !== "tool-result") return "";
  const { output } = part;
  if (output.type === "text" || output.type === "error-text") return output.value;
  return "value" in output ? JSON.stringify(output.value) : "";
}
