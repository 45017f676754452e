/** What a change must pass before it reaches the storage: the fixed table, the policy's rules, the size, and a person where one is asked. */
import { checkSize } from "../../contract/check-size.ts";
import { HangoError, isHangoError, notFound, shownPath } from "../../errors.ts";
import type { Limits } from "../../limits.ts";
import { parseAgentPath } from "../../path/path.ts";
import type { CallOptions, FilePath, Origin, Storage, Version } from "../../storage.ts";
import { unifiedFileDiff } from "../../text/diff.ts";
import { decodeText } from "../../text/utf8.ts";
import { changeVerdict, type Verdict, type Who } from "./actors.ts";
import type { Permissions, Policy } from "./policy.ts";

export interface Change {
  readonly kind: "write" | "delete";
  readonly path: FilePath;
  readonly bytes?: Uint8Array;
  readonly ifVersion?: Version | undefined;
}

export interface Rules {
  readonly inner: Storage;
  readonly who: Who;
  readonly limits: Limits;
  readonly permissions: Permissions;
  readonly approve: Policy["approve"];
}

/** Throws when the change can never be allowed, whatever a person says. It depends on the path alone, never on what is there. Errors: forbidden, after the refusal is recorded. */
export async function refuseForbidden(rules: Rules, change: Pick<Change, "kind" | "path">, origin: Origin): Promise<Verdict> {
  const verdict = verdictOf(rules, change.path);
  if (verdict.kind === "refuse") await refuse(rules, change, { why: verdict.why, origin });
  return verdict;
}

/**
 * Lets a change through or throws. Answers the version that a person saw when they approved, so that what was approved is what happens.
 * Errors: forbidden, too_large, invalid_path (depth), unavailable when a refusal can't be recorded.
 */
export async function clear(
  rules: Rules,
  change: Change,
  options: CallOptions & { readonly origin: Origin },
): Promise<{ readonly ifVersion?: Version | "absent" }> {
  const { limits, who } = rules;
  const verdict = await refuseForbidden(rules, change, options.origin);
  parseAgentPath(shownPath(change.path), { maxDepth: limits.maxPathDepth });
  if (change.bytes !== undefined) checkSize(change.bytes.length, who.actor === "system" ? limits.maxOffloadBytes : limits.maxFileBytes, change.path);
  let pinned: { readonly ifVersion?: Version | "absent" } = {};
  if (verdict.kind === "ask") pinned = await askFor(rules, change, { ...options, why: verdict.why });
  if (verdict.kind !== "refuse" && verdict.note !== undefined) await record(rules, change, { outcome: "ok", reason: verdict.note, origin: options.origin });
  return pinned;
}

function verdictOf({ who, permissions }: Rules, path: FilePath): Verdict {
  const fixed = changeVerdict(path, who);
  if (fixed.kind === "refuse") return fixed;
  const mode = permissions.mode("write", path);
  if (mode === "deny") return { kind: "refuse", why: `${shownPath(path)} can't be changed: a rule of this session denies writing there.` };
  if (mode === "ask" && fixed.kind === "allow") return { ...fixed, kind: "ask", why: `${shownPath(path)} can be changed only with a person's approval` };
  return fixed;
}

async function askFor(
  rules: Rules,
  change: Change,
  options: CallOptions & { readonly origin: Origin; readonly why: string },
): Promise<{ readonly ifVersion?: Version | "absent" }> {
  const { approve, inner } = rules;
  const { why, ...call } = options;
  if (approve === undefined) return refuse(rules, change, { why: `${why}, and this session has no one to ask.`, origin: options.origin });
  const current = await readIfThere(inner, change.path, call);
  if (current === undefined && change.kind === "delete") throw notFound(change.path);
  const approved = await approve({ operation: change.kind, path: shownPath(change.path), diff: diffOf(change, current?.bytes) });
  options.signal?.throwIfAborted();
  if (!approved) return refuse(rules, change, { why: `${why}, and it was not given.`, origin: options.origin });
  return { ifVersion: change.ifVersion ?? current?.info.version ?? "absent" };
}

function diffOf(change: Change, current: Uint8Array | undefined): string {
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

async function refuse(rules: Rules, change: Pick<Change, "kind" | "path">, denial: { readonly why: string; readonly origin: Origin }): Promise<never> {
  const { why, origin } = denial;
  await record(rules, change, { outcome: "denied", reason: why, origin });
  throw new HangoError("forbidden", why, { path: shownPath(change.path), op: change.kind });
}

/** Carries no signal: a refusal is recorded also when its caller has left. */
async function record(
  { inner }: Rules,
  change: Pick<Change, "kind" | "path">,
  row: { readonly outcome: "ok" | "denied"; readonly reason: string; readonly origin: Origin },
): Promise<void> {
  if (inner.record === undefined) return;
  const { outcome, reason, origin } = row;
  try {
    await inner.record({ action: change.kind === "write" ? "file.write" : "file.delete", outcome, path: change.path, reason }, { origin });
  } catch (error) {
    throw new HangoError("unavailable", `The call could not be recorded, so it was not done. Retry in a moment.`, {
      path: shownPath(change.path),
      op: "record",
      cause: error,
    });
  }
}
