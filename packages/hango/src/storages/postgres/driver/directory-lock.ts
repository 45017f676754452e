/** One process a data directory: PGlite has no lock of its own, and of two writers one loses its rows without a word. */
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { HangoError } from "../../../errors.ts";

/** Taking a stale lock over lasts microseconds; one that is older was left behind by a crash in between. */
const BREAK_STALE_MS = 10_000;
const MAX_TRIES = 50;
/** While another process takes the stale lock over, which the scheduler may stop in between: a second in all. */
const LOOK_AGAIN_MS = 20;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The process's start in clock ticks since boot, where the system tells: a pid is used again. */
  readonly started: string;
  readonly nonce: string;
}

export interface DirectoryLock {
  readonly release: () => void;
}

/** Where the lock of a directory stands: beside it, so that the data stays Postgres's own. */
export function lockFileOf(directory: string): string {
  return `${directory}.lock`;
}

/**
 * Takes the lock or says who has it. A lock whose process is dead is taken over.
 * Errors: unavailable, with the holder's pid in the message and in `details.pid`.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = lockFileOf(directory);
  const mine: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), nonce: randomBytes(8).toString("hex") };
  // Written whole under another name, then linked: a link either is there with all of its content, or is not.
  const draft = `${file}.${mine.pid}.${mine.nonce}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tryLink(draft, file)) return { release: () => release(file, mine.nonce) };
      const holder = readHolder(file);
      if (holder !== undefined && isAlive(holder)) throw heldBy(holder, directory, file);
      if (holder !== undefined && !breakLock(file, holder.nonce)) pause();
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new HangoError("unavailable", `The lock ${file} changes hands too quickly; retry in a moment.`);
}

function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    throw error;
  }
}

function readHolder(file: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
  const value = parseHolder(text);
  if (value === undefined) throw new HangoError("unavailable", `${file} is not a lock of hango's. Remove it if no process uses the directory.`);
  return value;
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, host, started, nonce } = JSON.parse(text) as Partial<Holder>;
    if (typeof pid !== "number" || typeof host !== "string" || typeof started !== "string" || typeof nonce !== "string") return undefined;
    return { pid, host, started, nonce };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Of another host's process nothing is known, so it counts as alive. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (isSystemError(error, "ESRCH")) return false;
  }
  const [state, threads] = [statOf(holder.pid, 3), statOf(holder.pid, 20)];
  // A killed process that nobody waits for (pid 1 of many containers does not) stays in the table and holds nothing.
  if ((state === "Z" || state === "X") && Number(threads) <= 1) return false;
  const started = startOf(holder.pid);
  return started === "" || holder.started === "" || started === holder.started;
}

/** When a process started, in the kernel's own unit. "" where there is no /proc. */
function startOf(pid: number): string {
  return statOf(pid, 22);
}

/** A field of /proc/PID/stat, counted as the manual page does: from 1, and from 3 on after the name, which may hold spaces and brackets. "" where there is no /proc. */
function statOf(pid: number, field: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[field - 3] ?? "";
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return "";
    throw error;
  }
}

/**
 * Removes a dead process's lock, but only that one: between the look and the removal another process may have done the
 * same and hold the lock by now, so the last look and the removal exclude each other. False while another process is at it.
 */
function breakLock(file: string, nonce: string): boolean {
  const guard = `${file}.break`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
    removeOldGuard(guard);
    return false;
  }
  try {
    release(file, nonce);
  } finally {
    rmdirSync(guard);
  }
  return true;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
}

function removeOldGuard(guard: string): void {
  try {
    if (Date.now() - statSync(guard).mtimeMs > BREAK_STALE_MS) rmdirSync(guard);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

/** Removes the lock if it still is the one with that nonce. */
function release(file: string, nonce: string): void {
  if (readHolder(file)?.nonce === nonce) rmSync(file, { force: true });
}

function heldBy(holder: Holder, directory: string, file: string): HangoError {
  const who =
    holder.pid === process.pid && holder.host === hostname()
      ? `this process (pid ${holder.pid})`
      : `process ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`}`;
  return new HangoError(
    "unavailable",
    `${directory} is open in ${who}, and only one process may use it. Close it there, or use postgres:// to share a database. If that process is gone, remove ${file}.`,
    {
      details: { pid: holder.pid },
    },
  );
}

function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(String((error as { code?: unknown } | null)?.code));
}
