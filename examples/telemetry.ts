import { generateText, stepCountIs, type LanguageModel, type ToolSet } from "ai";
import { openSession, type Session, type Storage } from "hango";
import { aiSdkTools } from "hango/ai-sdk";
import { observeTools, withTelemetry } from "hango/telemetry";

/** A session whose file operations are spans, figures and log records of the OpenTelemetry SDK that this process has registered. */
export function openObserved(storage: Storage, sessionId: string, agentId: string): Session {
  return withTelemetry(openSession({ storage, sessionId }), { agentId });
}

/** The same agent as without it: its tools run under `execute_tool` spans, the framework's or hango's own. */
export async function askObserved(model: LanguageModel, session: Session, prompt: string, tools: ToolSet = {}): Promise<string> {
  const { text } = await generateText({
    model,
    system: session.prompt,
    prompt,
    tools: observeTools(session, aiSdkTools(session, { tools })),
    stopWhen: stepCountIs(20),
  });
  return text;
}
