/** Runs the built command as a user's shell does, and builds it first when a source is newer. */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../../..");
export const HANGO_BIN: string = join(root, "packages/cli/bin/hango.mjs");

/** Test files run side by side: one builds, the others wait. */
const LOCK = join(root, "node_modules/.hango-build.lock");
const LOCK_STALE_MS = 180_000;
const LOOK_AGAIN_MS = 200;

const PARTS: readonly (readonly [workspace: string, source: string, built: string])[] = [
  ["hango", "packages/hango/src", "packages/hango/dist/index.mjs"],
  ["@hango/cli", "packages/cli/src", "packages/cli/dist/main.mjs"],
];

/** Builds what is older than its sources. For a beforeAll; give it a minute or two. */
export async function ensureBuilt(): Promise<void> {
  while (PARTS.some(isStale)) {
    if (!takeLock()) {
      await pause(LOOK_AGAIN_MS);
      continue;
    }
    try {
      for (const part of PARTS.filter(isStale)) await promisify(execFile)("npm", ["run", "build", "-w", part[0]], { cwd: root });
      return;
    } finally {
      rmSync(LOCK, { recursive: true, force: true });
    }
  }
  // Somebody may be building at this moment: the first of two dists is new while the second is being made.
  while (statSync(LOCK, { throwIfNoEntry: false }) !== undefined && !takeOver()) await pause(LOOK_AGAIN_MS);
}

function isStale([, source, built]: (typeof PARTS)[number]): boolean {
  const made = statSync(join(root, built), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true }).some(
    (entry) =>
      entry.isFile() &&
      !/\.test(-support)?\.ts$/.test(entry.name) &&
      (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > made,
  );
}

function takeLock(): boolean {
  takeOver();
  try {
    mkdirSync(LOCK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** A build that was killed leaves its lock. */
function takeOver(): boolean {
  const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined || Date.now() - since < LOCK_STALE_MS) return false;
  rmSync(LOCK, { recursive: true, force: true });
  return true;
}

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on stdin; none is an empty one. */
  readonly input?: string | Uint8Array;
  /** Its abort is Ctrl-C, or the signal that is its reason. */
  readonly stop?: AbortSignal;
}

/** What changes a command's answer: settings of hango, keys of models, addresses, and what a terminal or a CI says of colours. */
const CHANGES_ANSWERS = /^(HANGO_|OTEL_|OPENAI_|AI_GATEWAY_|PG|PORT$|HOST$|CI$|TERM$|COLORTERM$|TMUX$|NO_COLOR$|FORCE_COLOR$|NODE_DISABLE_COLORS$)/;

/** The environment of a user who has set nothing, on whatever machine the tests run; without colours unless NO_COLOR is taken back. */
export function userEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !CHANGES_ANSWERS.test(name));
  return { ...Object.fromEntries(kept), TERM: "xterm-256color", NO_COLOR: "1", ...extra };
}

/** Runs `hango …` to its end, whatever that is. */
export function runHango(args: readonly string[], { cwd = root, env = {}, input = "", stop }: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [HANGO_BIN, ...args], { cwd, env: userEnvironment(env) });
  return new Promise((settle, fail) => {
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    stop?.addEventListener("abort", () => child.kill(stop.reason === "SIGTERM" ? "SIGTERM" : "SIGINT"), { once: true });
    child.on("error", fail);
    child.on("close", (code, signal) => {
      const bytes = Buffer.concat(out);
      settle({ code, signal, bytes, stdout: bytes.toString(), stderr: Buffer.concat(err).toString() });
    });
    // A command that ends without reading is no failure of the test.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
