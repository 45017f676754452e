/** A test runner of the smallest kind: it collects what a suite registers and runs one case after another. */
import { inspect } from "node:util";
import type { TestRunner } from "hango/testing";

export interface Case {
  readonly name: string;
  readonly body: (context: unknown) => Promise<void>;
}

export type CaseResult =
  | { readonly name: string; readonly outcome: "passed" }
  | { readonly name: string; readonly outcome: "skipped"; readonly reason: string }
  | { readonly name: string; readonly outcome: "failed"; readonly reason: string };

export interface RunOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onResult: (result: CaseResult) => Promise<void>;
}

/** What a suite registers, in its order. */
export function collectCases(register: (runner: TestRunner) => void): readonly Case[] {
  const cases: Case[] = [];
  register({
    describe: (_name, body) => body(),
    it: (name, body) => void cases.push({ name, body: body as Case["body"] }),
  });
  return cases;
}

/** Runs the cases in order. A case that takes too long counts as failed, and is left behind. Errors: an abort rethrows `signal.reason` between two cases. */
export async function runCases(cases: readonly Case[], { timeoutMs, signal, onResult }: RunOptions): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of cases) {
    signal.throwIfAborted();
    const result = await runCase(one, timeoutMs);
    results.push(result);
    await onResult(result);
  }
  return results;
}

async function runCase({ name, body }: Case, timeoutMs: number): Promise<CaseResult> {
  let reason: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${timeoutMs} ms (--timeout-ms)`)), timeoutMs);
  });
  try {
    await Promise.race([body({ skip: (why: string) => void (reason = why) }), late]);
  } catch (error) {
    return { name, outcome: "failed", reason: messageOf(error) };
  } finally {
    clearTimeout(timer);
  }
  // The suite names what it skips: "skipped: search is absent (…)".
  const skipped = reason ?? (name.startsWith("skipped: ") ? name : undefined);
  return skipped === undefined ? { name, outcome: "passed" } : { name, outcome: "skipped", reason: skipped.replace(/^skipped: /, "") };
}

/** The message, and what it was caused by: that is where a storage's own error stands. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}\n  caused by ${messageOf(cause)}` : error.message;
}
