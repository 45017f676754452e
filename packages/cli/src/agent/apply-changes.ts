/** Commits what a person agreed to, path by path on the screen; what can't be applied is named and kept. */
import { type Change, type HangoError, type Overlay, isHangoError, unifiedDiff } from "hango";
import { agrees } from "../ask.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { takeInterrupts } from "../interrupt.ts";
import { counted, plain, printLine, say } from "../output.ts";
import { applyCommand } from "./apply-command.ts";
import { savePatch } from "./patch-file.ts";

export interface ApplyOptions {
  /** As they were shown. */
  readonly changes: readonly Change[];
  readonly interactive: boolean;
  readonly patch?: string;
  /** Absent for a database. */
  readonly directory?: string;
  readonly sessionId: string;
}

const words = { create: "created ", modify: "modified", delete: "deleted " } as const;

/** The answer is an exit code: conflict when a file changed meanwhile; nothing is written over it. */
export async function applyChanges(overlay: Overlay, options: ApplyOptions): Promise<number> {
  const { changes, sessionId } = options;
  const stop = new AbortController();
  // Between two files; a file is written whole or not at all.
  const giveBack = takeInterrupts(() => stop.abort());
  try {
    // Only while it runs: a question is left with Ctrl-C.
    await overlay.commit({ signal: stop.signal, origin: { actor: "agent", sessionId } }).finally(giveBack);
    await tellApplied(changes);
    return exitCodes.ok.code;
  } catch (error) {
    if (!isHangoError(error) && !stop.signal.aborted) throw error;
    const waiting = new Set((await overlay.changes()).map(({ path }) => path));
    const pending = changes.filter(({ path }) => waiting.has(path));
    await tellApplied(changes.filter(({ path }) => !waiting.has(path)));
    if (isHangoError(error)) tellWhy(error);
    await keepPending(pending, { ...options, moved: isHangoError(error, "conflict") });
    return isHangoError(error) ? exitCodeOf(error.code) : exitCodes.interrupted.code;
  }
}

/** What can't be applied as it is, because these files changed while the agent worked: no question is asked that only a no can follow. */
export async function refuseMoved(moved: readonly string[], options: ApplyOptions): Promise<number> {
  tellMoved(moved);
  await keepPending(options.changes, { ...options, moved: true });
  return exitCodes.conflict.code;
}

async function keepPending(pending: readonly Change[], options: OfferOptions): Promise<void> {
  say(`${counted(pending.length, "change")} not applied: ${pending.map(({ path }) => plain(path)).join(", ")}`);
  await offerPatch(pending, options);
}

async function tellApplied(changes: readonly Change[]): Promise<void> {
  for (const { kind, path } of changes) await printLine(`${words[kind]}  ${plain(path)}`);
}

function tellWhy(error: HangoError): void {
  if (error.code !== "conflict") return say(error.message);
  const paths = error.details?.["paths"];
  tellMoved(Array.isArray(paths) ? paths.map(String) : [error.path ?? ""]);
}

/** Says which files a person or another program changed meanwhile. */
export function tellMoved(paths: readonly string[]): void {
  say("these files changed while the agent worked, and were left as they are now:");
  for (const path of paths) say(`  ${plain(path.replace(/^\//, ""))}`);
}

interface OfferOptions extends ApplyOptions {
  /** Some of the files changed while the agent worked. */
  readonly moved: boolean;
}

async function offerPatch(pending: readonly Change[], options: OfferOptions): Promise<void> {
  const { interactive, patch, sessionId } = options;
  if (pending.length === 0) return;
  if (patch !== undefined) return say(`they are in ${patch}${howToApply(patch, options)}.`);
  const file = `hango-agent-${sessionId.slice(0, 8)}.patch`;
  if (!interactive) return say("the diff above holds them; with --patch FILE they are saved as well.");
  if (!(await agrees(`Save them as ${file}? [y/N] `))) return;
  await savePatch(file, { changes: pending, diff: unifiedDiff(pending), fresh: true });
  say(`saved${howToApply(file, options)}.`);
}

/** The diff was made over the files as they were at the end of the run. */
function howToApply(file: string, { directory, moved }: OfferOptions): string {
  if (directory === undefined) return "";
  const command = `“${applyCommand(directory, file, "--reject")}”`;
  return moved ? `; read them before ${command}, which may take back what changed meanwhile` : `; ${command} applies what still fits`;
}
