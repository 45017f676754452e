/** An agent's run and who observes it. Types only. */
import type { LanguageModel, ToolSet } from "ai";
import type { Namespace, Session } from "hango";

export interface Invocation {
  /** What a backend calls the agent. */
  readonly name: string;
  /** Absent for files that belong to no agent of a store. */
  readonly namespace?: Namespace;
  readonly model: LanguageModel;
  readonly session: Session;
}

/** What the run uses instead of its own. */
export interface Observed {
  readonly session: Session;
  /** The very same tools when nobody observes. */
  readonly observeTools: (tools: ToolSet) => ToolSet;
}

/** How a run ended, as its span tells it. */
export interface InvocationEnd {
  /** A code of hango's, or "aborted". */
  readonly errorType?: string;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** Runs the work, and answers or throws exactly what it does. */
export type InvokeAgent = <T>(invocation: Invocation, work: (observed: Observed) => Promise<T>, describe: (answer: T) => InvocationEnd) => Promise<T>;
