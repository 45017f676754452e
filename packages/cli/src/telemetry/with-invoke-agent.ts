/** An agent's run under a span of its own, told by OTLP where the standard variables ask for it. With none set, nothing is loaded. */
import { closing } from "../interrupt.ts";
import type { InvokeAgent } from "./invocation.ts";
import { signalsAsked } from "./signals-asked.ts";

const unobserved: InvokeAgent = async ({ session }, work) => work({ session, observeTools: (tools) => tools });

/** Hands out what runs an agent; what was told is sent before the answer, also on Ctrl-C. Errors: invalid_argument for a variable that can't be. */
export async function withInvokeAgent<T>(use: (invoke: InvokeAgent) => Promise<T>): Promise<T> {
  if (signalsAsked(process.env).size === 0) return use(unobserved);
  const [{ parseTelemetrySettings }, { openInvocations }] = await Promise.all([import("./settings.ts"), import("./open-invocations.ts")]);
  const { invoke, close: send, closeMs } = openInvocations(parseTelemetrySettings(process.env));
  const close = closing(send, { withinMs: closeMs });
  try {
    return await use(invoke);
  } finally {
    await close();
  }
}
