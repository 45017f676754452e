/** What came of an interrupted operation, held against what it may have come to. */
import { errorTable, isHangoError } from "../../packages/hango/src/errors.ts";
import type { ToolResult } from "../../packages/hango/src/session/vocabulary.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { contents, FILES, type Operation } from "./operations.ts";

export interface Outcome {
  readonly answer: "ok" | "not saved" | "failed";
  /** Of a failure. */
  readonly code?: string;
  readonly message?: string;
  /** One sentence for each promise that was broken. */
  readonly faults: readonly string[];
}

export type Contents = Readonly<Record<string, string>>;

/** Runs the operation. A failure must have a code of hango's, and no foreign word. */
export async function outcomeOf(operation: Operation, storage: Storage): Promise<Outcome> {
  try {
    const answer = await operation.run(storage);
    if (!isToolResult(answer)) return { answer: "ok", faults: [] };
    if (answer.isError) return failed(answer.code, String(answer.forModel));
    const offload = answer.details?.["offload"] as { readonly saved: boolean; readonly path?: string } | undefined;
    if (offload === undefined || offload.saved) return { answer: "ok", faults: [] };
    const names = String(answer.forModel).includes("/large_tool_results/");
    return { answer: "not saved", faults: names ? ["the preview of a result that was not saved names a path"] : [] };
  } catch (error) {
    if (isHangoError(error)) return failed(error.code, error.message);
    return { answer: "failed", faults: [`a foreign error came out: ${String(error)}`] };
  }
}

function isToolResult(value: unknown): value is ToolResult {
  return typeof value === "object" && value !== null && "isError" in value && "forModel" in value;
}

function failed(code: string | undefined, message: string): Outcome {
  const faults = [
    ...(code !== undefined && code in errorTable ? [] : [`the code ${code ?? "(none)"} is none of hango's`]),
    ...(/division|SELECT|ECONN|socket|\/srv\//.test(message) ? [`a foreign word is shown: ${message}`] : []),
  ];
  return { answer: "failed", faults, message, ...(code === undefined ? {} : { code }) };
}

/** The stored state after it: nothing, or all of it; all of it when the answer was ok, and nothing when what failed can't have been committed. */
export async function stateAfter(
  storage: Storage,
  outcome: Outcome,
  expected: { readonly done: Contents; readonly mayBeDone: boolean },
): Promise<readonly string[]> {
  const now = JSON.stringify(await contents(storage));
  const [before, done] = [JSON.stringify(sorted(FILES)), JSON.stringify(expected.done)];
  if (outcome.answer === "ok") return now === done ? [] : [`the answer is ok, and the files are ${shortened(now)}`];
  if (now !== before && now !== done) return [`the files are half changed: ${shortened(now)}`];
  if (now === done && before !== done && !expected.mayBeDone) return [`the answer is ${outcome.code ?? outcome.answer}, and the change was made`];
  return [];
}

function sorted(files: Contents): Contents {
  return Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
