/** Versions of files that others change too: from what the disk keeps of a file, given out only when the next change is sure to show. */
import type { BigIntStats } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { contentTypeFor } from "../../path/content-type.ts";
import type { FileInfo, Version } from "../../storage.ts";

/**
 * Two changes within one tick of the kernel's clock (at most 10 ms) leave the same times behind. A file that changed so recently is looked
 * at again after this long, when a later change would get a later time. Units: milliseconds.
 */
const SETTLE_MS = 20;
/** Versions of our own writes that are remembered; they only matter for SETTLE_MS. */
const MAX_OWN_VERSIONS = 4_096;

/** Marks a version of a file that is changing right now: no file ever has it, so nothing is overwritten by it. */
const UNSETTLED = "~";

const own = new Set<Version>();
let lastStamp = 0;

export function versionOf(stats: BigIntStats): Version {
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].map((part) => part.toString(36)).join(".");
}

/** `sizeBytes` is given where the content was read and so is known better. */
export function infoOf(path: string, stats: BigIntStats, sizeBytes: number = Number(stats.size)): FileInfo {
  return {
    path,
    sizeBytes,
    contentType: contentTypeFor(path) || "application/octet-stream",
    version: isSettled(stats) ? versionOf(stats) : versionOf(stats) + UNSETTLED,
    updatedAt: new Date(Number(stats.mtimeMs)),
  };
}

/** False while another change could still leave the same times. A time far ahead is of another machine's clock, which waiting tells nothing about. */
export function isSettled(stats: BigIntStats): boolean {
  const age = Date.now() - Number(stats.ctimeMs);
  return Math.abs(age) >= SETTLE_MS || own.has(versionOf(stats));
}

/** "any" where no version is given out, as for grep and glob: then nothing is waited for. */
export interface VersionOptions {
  readonly versions?: "settled" | "any";
}

/** Waits until what changed before this call has settled. */
export async function settle(signal: AbortSignal | undefined): Promise<void> {
  await sleep(SETTLE_MS, undefined, signal === undefined ? {} : { signal });
}

/**
 * The time of change that a write gives its file: finer than the kernel's tick and never the same twice, so that two writes of equal bytes
 * differ and a change by another process shows at once. Units: seconds.
 */
export function nextStamp(): number {
  lastStamp = Math.max(lastStamp + 1, Date.now() * 1_000 + Math.floor(Math.random() * 1_000));
  return lastStamp / 1_000_000;
}

/** Notes a version as made by a write of ours. */
export function rememberOwn(stats: BigIntStats): void {
  own.add(versionOf(stats));
  if (own.size > MAX_OWN_VERSIONS) for (const oldest of own) return void own.delete(oldest);
}
