/** What a change must pass before it reaches the storage: the fixed table, the policy's rules, the size, and a person where one is asked. */
import { MAX_RECORD_TEXT_CHARS } from "../../contract/check-options.ts";
import { checkSize } from "../../contract/check-size.ts";
import { alreadyExists, conflict } from "../../contract/refusals.ts";
import { HangoError, isHangoError, notFound, shownPath } from "../../errors.ts";
import type { Limits } from "../../limits.ts";
import { parseAgentPath } from "../../path/path.ts";
import type { CallOptions, FilePath, Origin, Storage, Version } from "../../storage.ts";
import { unifiedFileDiff } from "../../text/diff.ts";
import { decodeText, sliceCodePoints } from "../../text/utf8.ts";
import { changeVerdict, type Verdict, type Who } from "./actors.ts";
import { isApproved } from "./approval.ts";
import type { Permission, Permissions, Policy } from "./policy.ts";

/** A write or delete that someone asks for. */
export interface AskedChange {
  readonly kind: "write" | "delete";
  readonly path: FilePath;
  readonly bytes?: Uint8Array;
  readonly ifVersion?: Version | "absent" | undefined;
  /** True for a modify or delete of an apply: there, a file that is gone is a stale version. */
  readonly mustExist?: boolean;
}

export interface Rules {
  readonly inner: Storage;
  readonly who: Who;
  readonly limits: Limits;
  readonly permissions: Permissions;
  readonly approve: Policy["approve"];
}

/** Throws when the change can never be allowed, whatever a person says. It depends on the path alone, never on what is there. Errors: forbidden, after the refusal is recorded. */
export async function refuseForbidden(rules: Rules, change: Pick<AskedChange, "kind" | "path">, origin: Origin): Promise<Verdict> {
  const verdict = verdictOf(rules, change.path);
  if (verdict.kind === "refuse") await refuse(rules, change, { why: verdict.why, origin });
  return verdict;
}

/** The same for a delete with all that is below: throws when neither a file at the path nor anything below it could go. */
export async function refuseForbiddenTree(rules: Rules, path: FilePath, origin: Origin): Promise<void> {
  if (verdictOf(rules, path).kind !== "refuse") return;
  // What stands below counts, not the bare name: an operator may empty /memories.
  const below = verdictOf(rules, `${path}/-` as FilePath, shownPath(path));
  if (below.kind === "refuse") await refuse(rules, { kind: "delete", path }, { why: below.why, origin });
}

type Call = CallOptions & { readonly origin: Origin };

/** A change that may be done. */
export interface Cleared {
  readonly change: AskedChange;
  /** The version that a person saw when they approved, so that what was approved is what happens. */
  readonly ifVersion?: Version | "absent";
  /** What is put on record of a reserved path that the policy opened, when the change fails. */
  readonly note?: string;
}

/**
 * Lets the changes of one call through, all of them, or throws.
 * Errors: forbidden, too_large, invalid_path (depth); conflict and already_exists before a person is asked; unavailable when a refusal can't be recorded.
 */
export async function clear(rules: Rules, changes: readonly AskedChange[], options: Call): Promise<readonly Cleared[]> {
  const verdicts: Verdict[] = [];
  // Every refusal comes before the first question, so no one is asked about a change that fails anyway.
  for (const change of changes) verdicts.push(await refuseForbidden(rules, change, options.origin));
  for (const change of changes) checkBounds(rules, change);
  const cleared: Cleared[] = [];
  for (const [index, change] of changes.entries()) {
    const verdict = verdicts[index] as Verdict;
    const pinned = verdict.kind === "ask" ? await askFor(rules, change, { ...options, why: verdict.why }) : {};
    cleared.push({ change, ...pinned, ...(verdict.kind === "refuse" || verdict.note === undefined ? {} : { note: verdict.note }) });
  }
  return cleared;
}

function checkBounds({ limits, who }: Rules, { path, bytes }: AskedChange): void {
  parseAgentPath(shownPath(path), { maxDepth: limits.maxPathDepth });
  if (bytes !== undefined) checkSize(bytes.length, who.actor === "system" ? limits.maxOffloadBytes : limits.maxFileBytes, path);
}

/**
 * Does what was cleared. A storage with a record keeps the ok row itself, together with the change; here a reserved change that fails is put on record.
 * Errors: unavailable when it can't be recorded.
 */
export async function carryOut<T>(rules: Rules, cleared: readonly Cleared[], work: { readonly origin: Origin; readonly run: () => Promise<T> }): Promise<T> {
  const { origin, run } = work;
  try {
    return await run();
  } catch (error) {
    for (const { change, note } of cleared) {
      if (note === undefined) continue;
      await record(rules, change, { outcome: "failed", reason: `${note}; it failed: ${isHangoError(error) ? error.code : "internal"}`, origin });
    }
    throw error;
  }
}

function verdictOf({ who, permissions, approve }: Rules, path: FilePath, shown: string = shownPath(path)): Verdict {
  const verdict = ruledVerdict({ fixed: changeVerdict(path, who, shown), mode: permissions.mode("write", path), shown });
  // What nobody can be asked about can never be allowed, which has to be known before the first of many files goes.
  return verdict.kind === "ask" && approve === undefined ? { kind: "refuse", why: `${verdict.why}, and this session has no one to ask.` } : verdict;
}

function ruledVerdict({ fixed, mode, shown }: { readonly fixed: Verdict; readonly mode: Permission["mode"]; readonly shown: string }): Verdict {
  if (fixed.kind === "refuse") return fixed;
  if (mode === "deny") return { kind: "refuse", why: `${shown} can't be changed: a rule of this session denies writing there.` };
  if (mode === "ask" && fixed.kind === "allow") return { ...fixed, kind: "ask", why: `${shown} can be changed only with a person's approval` };
  return fixed;
}

async function askFor(rules: Rules, change: AskedChange, options: Call & { readonly why: string }): Promise<Pick<Cleared, "ifVersion">> {
  const { approve, inner } = rules;
  const { why, ...call } = options;
  if (approve === undefined) return refuse(rules, change, { why, origin: options.origin });
  const current = await readIfThere(inner, change.path, call);
  refuseStale(change, current?.info.version);
  const request = { operation: change.kind, path: shownPath(change.path), diff: diffOf(change, current?.bytes) };
  if (!(await isApproved(approve, request, options.signal))) return refuse(rules, change, { why: `${why}, and it was not given.`, origin: options.origin });
  return { ifVersion: change.ifVersion ?? current?.info.version ?? "absent" };
}

/** No one is asked about a change that fails anyway. */
function refuseStale({ kind, path, ifVersion, mustExist = false }: AskedChange, current: Version | undefined): void {
  if (ifVersion === "absent") {
    if (current !== undefined) throw alreadyExists(path, current);
  } else if (ifVersion !== undefined && ifVersion !== current) throw conflict(path, current);
  if (mustExist && current === undefined) throw conflict(path);
  if (kind === "delete" && current === undefined) throw notFound(path);
}

function diffOf(change: AskedChange, current: Uint8Array | undefined): string {
  const { path, bytes: next } = change;
  const before = current && decodeText(current);
  const after = next && decodeText(next);
  const isBinary = (current !== undefined && before === undefined) || (next !== undefined && after === undefined);
  return isBinary ? `Binary content: ${current?.length ?? 0} bytes before, ${next?.length ?? 0} after.\n` : unifiedFileDiff(path, before, after);
}

async function readIfThere(inner: Storage, path: FilePath, options: CallOptions): Promise<Awaited<ReturnType<Storage["read"]>> | undefined> {
  try {
    return await inner.read(path, options);
  } catch (error) {
    if (isHangoError(error, "not_found")) return undefined;
    throw error;
  }
}

async function refuse(rules: Rules, change: Pick<AskedChange, "kind" | "path">, denial: { readonly why: string; readonly origin: Origin }): Promise<never> {
  const { why, origin } = denial;
  await record(rules, change, { outcome: "denied", reason: why, origin });
  throw new HangoError("forbidden", why, { path: shownPath(change.path), op: change.kind });
}

/** Carries no signal: a refusal is recorded also when its caller has left. */
async function record(
  { inner }: Rules,
  change: Pick<AskedChange, "kind" | "path">,
  row: { readonly outcome: "denied" | "failed"; readonly reason: string; readonly origin: Origin },
): Promise<void> {
  if (inner.record === undefined) return;
  const { outcome, reason, origin } = row;
  try {
    // An approver's note may be of any length; what is too long to record must not stop what was decided.
    const clipped = sliceCodePoints(reason, 0, MAX_RECORD_TEXT_CHARS);
    await inner.record({ action: change.kind === "write" ? "file.write" : "file.delete", outcome, path: change.path, reason: clipped }, { origin });
  } catch (error) {
    // What the caller sent can't be recorded at any time: the answer says what is wrong with it.
    if (isHangoError(error, "invalid_argument")) throw error;
    const message =
      outcome === "failed"
        ? "The call failed, and that could not be recorded. Its outcome may be unknown: re-read before you retry."
        : "The call could not be recorded, so it was not done. Retry in a moment.";
    throw new HangoError("unavailable", message, {
      path: shownPath(change.path),
      op: "record",
      cause: error,
    });
  }
}
