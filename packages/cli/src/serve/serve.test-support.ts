/** Starts `hango serve` as a user does: the built command, in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { HANGO_BIN, userEnvironment } from "../built.test-support.ts";

export interface ServeProcess {
  readonly url: string;
  /** As the first start printed it; "" afterwards. */
  readonly key: string;
  readonly agentId: string;
  readonly tenantId: string;
  readonly stdout: () => string;
  /** The log's whole lines so far. */
  readonly log: () => readonly Readonly<Record<string, unknown>>[];
  readonly stderr: () => string;
  /** Sends the signal and waits for the end. */
  readonly end: (signal?: NodeJS.Signals) => Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly ask: (path: string, init?: RequestInit & { readonly key?: string }) => Promise<Response>;
}

/** Resolves when it serves. Errors: plain Error with what it said, when it ends before. */
export async function startServe(
  db: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ServeProcess> {
  const child: ChildProcess = spawn(process.execPath, [HANGO_BIN, "serve", "--db", db, "--port", "0", ...args], {
    env: userEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal })),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      // Logged after all that stdout gets, which therefore is in its pipe by now: this process has only to read it.
      if (stderr.includes('"msg":"serving"')) setTimeout(resolve, 100);
    });
    void ended.then(({ code }) => reject(new Error(`hango serve ended with ${code}: ${stderr}${stdout}`)));
  });
  const url = stdout.split("\n", 1)[0] ?? "";
  const said = (name: string): string => new RegExp(`^ +${name} +(\\S+)$`, "m").exec(stdout)?.[1] ?? "";
  const key = said("key");
  return {
    url,
    key,
    agentId: said("agent"),
    tenantId: said("tenant"),
    stdout: () => stdout,
    stderr: () => stderr,
    log: () =>
      stderr
        .split("\n")
        .slice(0, -1)
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    signal: (signal) => void child.kill(signal),
    end: async (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
    ended,
    ask: (path, { key: own = key, ...init } = {}) => fetch(url + path, { ...init, headers: { authorization: `Bearer ${own}`, ...init.headers } }),
  };
}
