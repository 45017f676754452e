import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, mkdirSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockDirectory, lockFileOf } from "./directory-lock.ts";

const script = `import { lockDirectory } from ${JSON.stringify(new URL("./directory-lock.ts", import.meta.url).href)};
try { lockDirectory(process.argv[1]); console.log("won"); } catch (error) { console.log("lost " + error.code + " " + error.details?.pid); }
setInterval(() => {}, 1000);`;

let base: string;
let directory: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "hango-lock-"));
  directory = join(base, "data");
});
afterEach(async () => {
  for (const child of children.splice(0)) await killed(child);
  rmSync(base, { recursive: true, force: true });
});

function start(): { readonly child: ChildProcess; readonly line: Promise<string> } {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, directory], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const line = new Promise<string>((resolve) => child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())));
  return { child, line };
}

function killed(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null || child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

it("refuses a second holder in the same process, and says that it is this one", () => {
  const lock = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(`this process (pid ${process.pid})`);
  lock.release();
  lockDirectory(directory).release();
  expect(readdirSync(base)).toEqual([]);
});

it("names the pid of the other process that holds it, and takes it over once that process was killed", async () => {
  const { child, line } = start();
  expect(await line).toBe("won");
  const attempt = (): unknown => lockDirectory(directory);
  expect(attempt).toThrow(
    expect.objectContaining({ code: "unavailable", details: { pid: child.pid }, message: expect.stringContaining(`process ${child.pid}`) }) as Error,
  );
  await killed(child);
  lockDirectory(directory).release();
});

it("lets exactly one of many processes take a dead one's lock", async () => {
  const first = start();
  await first.line;
  await killed(first.child);
  const lines = await Promise.all(Array.from({ length: 8 }, () => start().line));
  expect(lines.filter((line) => line === "won")).toHaveLength(1);
  const holder = (JSON.parse(readFileSync(lockFileOf(directory), "utf8")) as { pid: number }).pid;
  expect(lines.filter((line) => line === `lost unavailable ${holder}`)).toHaveLength(7);
});

const written = (fields: object): void =>
  writeFileSync(lockFileOf(directory), JSON.stringify({ pid: process.pid, host: hostname(), started: "", nonce: "n", ...fields }));

it("does not take a used-again pid for the holder", () => {
  if (!existsSync("/proc/self/stat")) return;
  written({ started: "1" });
  lockDirectory(directory).release();
});

it("takes the lock of a killed process that nobody waited for: 'is open in process …' in a container for ever", async () => {
  if (!existsSync("/proc/self/stat")) return;
  // The shell becomes a program that never waits for its child, which lives until then: a shell would have taken note of its end.
  const parent = spawn("bash", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  const pid = Number(await new Promise<string>((resolve) => parent.stdout.once("data", (data: Buffer) => resolve(data.toString()))));
  try {
    const until = async (is: () => boolean): Promise<void> => {
      while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await until(() => readFileSync(`/proc/${parent.pid}/comm`, "latin1") === "sleep\n");
    process.kill(pid, "SIGKILL");
    await until(() => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.[0] === "Z");
    written({ pid });
    lockDirectory(directory).release();
  } finally {
    parent.kill("SIGKILL");
  }
});

it("leaves the lock of another host's process alone", () => {
  written({ host: "elsewhere", pid: 1 });
  expect(() => lockDirectory(directory)).toThrow("process 1 on elsewhere");
});

it("does not remove a file that is no lock of hango's", () => {
  writeFileSync(lockFileOf(directory), "something else");
  expect(() => lockDirectory(directory)).toThrow("is not a lock of hango's");
  expect(readFileSync(lockFileOf(directory), "utf8")).toBe("something else");
});

it("waits while another process takes a stale lock over: 'changes hands too quickly' was said after five milliseconds", () => {
  written({ pid: 2 ** 22 + 1 });
  const guard = `${lockFileOf(directory)}.break`;
  mkdirSync(guard);
  children.push(spawn("sh", ["-c", 'sleep 0.1; rmdir "$1"', "sh", guard], { stdio: "ignore" }));
  lockDirectory(directory).release();
});

it("gets over a take-over that a crash left half done", () => {
  written({ pid: 2 ** 22 + 1 });
  const guard = `${lockFileOf(directory)}.break`;
  mkdirSync(guard);
  expect(() => lockDirectory(directory)).toThrow("changes hands too quickly");
  utimesSync(guard, 1, 1);
  lockDirectory(directory).release();
});

it("does not give back a lock that is no longer its own", () => {
  const lock = lockDirectory(directory);
  written({ nonce: "another" });
  lock.release();
  expect(existsSync(lockFileOf(directory))).toBe(true);
});
