/** The end of a run: what would change, the question, and what became of the answer. */
import { type Change, type Overlay, unifiedDiff } from "hango";
import { agrees } from "../ask.ts";
import { exitCodes } from "../exit-codes.ts";
import { print, printLine, say } from "../output.ts";
import { applyChanges, refuseMoved, tellMoved } from "./apply-changes.ts";
import { applyCommand } from "./apply-command.ts";
import { savePatch } from "./patch-file.ts";
import type { RunEnd } from "./follow-run.ts";
import { diffFacts, printedDiff, summary } from "./show-diff.ts";

export interface ReviewOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly patch?: string;
  /** Absent for a database. */
  readonly directory?: string;
  /** Somebody sees the diff and can answer. */
  readonly interactive: boolean;
  readonly run: RunEnd;
  readonly sessionId: string;
}

/** How a run that is not finished ends, whatever became of its changes. */
const ends: Readonly<Record<RunEnd["how"], number>> = {
  finished: exitCodes.ok.code,
  cut: exitCodes.failed.code,
  interrupted: exitCodes.interrupted.code,
  failed: exitCodes.unavailable.code,
};

/** Shows the changes and does what the options or the person say. The answer is the exit code. */
export async function review(overlay: Overlay, options: ReviewOptions): Promise<number> {
  const { patch, run } = options;
  const changes = await overlay.changes();
  const diff = unifiedDiff(changes);
  try {
    if (patch !== undefined) await savePatch(patch, { changes, diff });
  } catch (error) {
    // What the model did in minutes is not lost with a full disk.
    await show(changes, diff);
    throw error;
  }
  if (changes.length === 0) await printLine("\nNo changes.");
  else {
    await show(changes, diff);
    const moved = await overlay.conflicts();
    if (moved.length > 0 && mayApply(options)) return refuseMoved(moved, { changes, ...options });
    // The diff was made over the files as they are now: it takes back what changed meanwhile.
    if (moved.length > 0) tellMoved(moved);
    if (await isWanted(options)) {
      const code = await applyChanges(overlay, { changes, ...options });
      return code === exitCodes.ok.code ? ends[run.how] : code;
    }
  }
  return ends[run.how];
}

async function show(changes: readonly Change[], diff: string): Promise<void> {
  await print(`\n${printedDiff(diff)}\n`);
  await printLine(
    summary(
      changes.map(({ kind }) => kind),
      diffFacts(diff),
    ),
  );
}

/** True where a yes was given, or is about to be asked for. */
function mayApply({ yes, dryRun, patch, interactive, run }: ReviewOptions): boolean {
  if (dryRun) return false;
  return (yes && run.how === "finished") || (interactive && (yes || patch === undefined));
}

async function isWanted({ yes, dryRun, patch, directory, interactive, run }: ReviewOptions): Promise<boolean> {
  if (dryRun) {
    say("dry run: nothing was changed.");
    return false;
  }
  // A yes given beforehand was for the whole task.
  if (yes && run.how === "finished") return true;
  if (patch !== undefined && !yes) {
    say(`nothing was changed; ${directory === undefined ? `the changes are in ${patch}` : `“${applyCommand(directory, patch)}” applies the changes`}.`);
    return false;
  }
  if (!interactive) {
    say(
      yes
        ? "nothing was changed: --yes counts only for a run that finishes."
        : "nothing was changed, because nobody is here to answer. --yes applies the changes, --patch FILE saves them for git apply.",
    );
    return false;
  }
  const unfinished = run.how === "finished" ? "" : "The run did not finish. ";
  if (await agrees(`${unfinished}Apply these changes? [y/N] `)) return true;
  await printLine("Nothing was changed.");
  return false;
}
