import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import type { LanguageModel } from "ai";
import type { Session } from "hango";
import { aiSdkTools } from "hango/ai-sdk";

/** File tools and large-result offload for any AI SDK model, beside tools of your own. */
export async function ask(model: LanguageModel, session: Session, prompt: string): Promise<string> {
  const webSearch = tool({
    description: "Searches the web.",
    inputSchema: jsonSchema<{ query: string }>({ type: "object", properties: { query: { type: "string" } }, required: ["query"] }),
    execute: async ({ query }) => `results for ${query}: ${"…".repeat(200_000)}`,
  });
  const { text } = await generateText({
    model,
    system: session.prompt,
    prompt,
    tools: aiSdkTools(session, { tools: { web_search: webSearch } }),
    stopWhen: stepCountIs(20),
  });
  return text;
}
