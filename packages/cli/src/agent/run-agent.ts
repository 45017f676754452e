/** `hango agent`: a model works on files, sees its own changes, and nothing is written before a person agrees. */
import { resolve } from "node:path";
import { takeInterrupts } from "../interrupt.ts";
import { counted, say } from "../output.ts";
import { exitCodes } from "../exit-codes.ts";
import type { StoreOptions } from "../store.ts";
import type { InvocationEnd, InvokeAgent } from "../telemetry/invocation.ts";
import { withInvokeAgent } from "../telemetry/with-invoke-agent.ts";
import { type ChosenModel, type ModelOptions, chooseModel } from "./choose-model.ts";
import { type RunEnd, followRun } from "./follow-run.ts";
import { checkPatchFile } from "./patch-file.ts";
import { review } from "./review.ts";
import { duration, runScreen } from "./run-screen.ts";
import { type DirectoryOptions, openDirectory, openNamespace } from "./workspace.ts";

export interface AgentOptions extends ModelOptions {
  readonly task: string;
  /** A directory, or the database namespace. */
  readonly on: ({ readonly directory: string } & Pick<DirectoryOptions, "ignore" | "acceptLinkRaces">) | { readonly store: StoreOptions };
  readonly exclude: readonly string[];
  readonly maxSteps: number;
  readonly timeoutMs: number;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly patch?: string;
}

/** The answer is the exit code. Errors: invalid_argument for a missing model or key, before anything is opened. */
export async function runAgent(options: AgentOptions): Promise<number> {
  const chosen = chooseModel(options, process.env);
  if (options.patch !== undefined) await checkPatchFile(options.patch);
  return withInvokeAgent((invoke) => runObserved(options, chosen, invoke));
}

async function runObserved(options: AgentOptions, { model, shown }: ChosenModel, invoke: InvokeAgent): Promise<number> {
  const { task, on, exclude, maxSteps, timeoutMs, yes, dryRun, patch } = options;
  // Until it is done: a reader of the output that goes away ends it, also before the changes of --yes are applied.
  process.exitCode = exitCodes.failed.code;
  const directory = "directory" in on ? resolve(on.directory) : undefined;
  const workspace = "directory" in on ? await openDirectory(on.directory, { ...on, exclude }) : await openNamespace(on.store, { exclude });
  try {
    const screen = runScreen((text) => void process.stdout.write(text));
    screen.fact("files", workspace.shown);
    if (workspace.leftOut.length > 0) screen.fact("hidden", someOf(workspace.leftOut));
    screen.fact("model", shown);
    screen.fact("task", task);
    const started = performance.now();
    const { session, agent } = workspace;
    const run = await interruptible(screen.rest, (signal) =>
      invoke({ name: "hango", ...agent, model, session }, (observed) => followRun({ ...observed, model, task, maxSteps, timeoutMs, signal }, screen), toldOf),
    );
    screen.fact(
      "used",
      `${counted(run.calls, "tool call")}, ${counted(run.inputTokens, "token")} in, ${counted(run.outputTokens, "token")} out, ${duration(performance.now() - started)}`,
    );
    tellEnd(run);
    const interactive = process.stdin.isTTY && process.stdout.isTTY;
    const places = { ...(directory === undefined ? {} : { directory }), ...(patch === undefined ? {} : { patch }) };
    return await review(workspace.overlay, { yes, dryRun, interactive, run, sessionId: workspace.sessionId, ...places });
  } finally {
    await workspace.close();
  }
}

/** The first Ctrl-C stops the model, the second leaves at once. */
async function interruptible<T>(rest: () => void, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const giveBack = takeInterrupts(() => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted.code);
    rest();
    say("stopping the model; what it changed so far comes next. Ctrl-C again leaves at once and changes nothing.");
    stop.abort();
  });
  try {
    return await act(stop.signal);
  } finally {
    giveBack();
  }
}

const errorTypes: Readonly<Partial<Record<RunEnd["how"], string>>> = { interrupted: "aborted", failed: "unavailable" };

/** How it ended, without the reason, which may quote the model's server. */
function toldOf({ how, inputTokens, outputTokens }: RunEnd): InvocationEnd {
  const errorType = errorTypes[how];
  return { inputTokens, outputTokens, ...(errorType === undefined ? {} : { errorType }) };
}

function tellEnd({ how, reason }: RunEnd): void {
  if (how === "failed") say(`${reason}.`);
  else if (how === "cut") say(`the agent stopped: ${reason}.`);
}

const SHOWN_LEFT_OUT = 5;

function someOf(paths: readonly string[]): string {
  const rest = paths.length - SHOWN_LEFT_OUT;
  return `${paths.slice(0, SHOWN_LEFT_OUT).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
