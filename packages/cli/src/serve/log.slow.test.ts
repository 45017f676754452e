import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const log = join(import.meta.dirname, "log.ts");

/** Logs a line, and on a word from here another one; then flushes and says so. */
const program = `
  const { createLog } = await import(${JSON.stringify(log)});
  const { logger, flush } = createLog({ logLevel: "info" });
  logger.info("first");
  process.stdin.once("data", async () => {
    logger.info("second");
    await flush();
    process.stdout.write("flushed\\n", () => process.exit(0));
  });
  process.stdout.write("ready\\n");
`;

function start(code: string = program): { readonly child: ChildProcess; readonly stderr: () => string; readonly said: (word: string) => Promise<void> } {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: "pipe" });
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const said = (word: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => void (stdout.includes(word) && resolve());
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk.toString();
        look();
      });
      child.once("close", () => (stdout.includes(word) ? resolve() : reject(new Error(`it ended without ${word}: ${stderr}`))));
    });
  return { child, stderr: () => stderr, said };
}

it("is written to its last line before the process ends", async () => {
  const { child, stderr, said } = start();
  await said("ready");
  const flushed = said("flushed");
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.stdin?.write("go");
  await flushed;
  await closed;
  expect(stderr()).toMatch(/"msg":"first"[\s\S]*"msg":"second"/);
});

it("lets the process end when its reader is gone: it slept for ever and heard no signal", async () => {
  const { child, said } = start();
  await said("ready");
  child.stderr?.destroy();
  const flushed = said("flushed");
  child.stdin?.write("go");
  await flushed;
});

/** Logs 40 MB that nobody reads; on a word from here one line more. A reader with little of a processor has the time to take all that was kept. */
const flood = `
  const { createLog } = await import(${JSON.stringify(log)});
  const { logger, flush } = createLog({ logLevel: "info" }, { flushMs: 60_000 });
  const text = "x".repeat(1_000);
  for (let line = 0; line < 40_000; line++) logger.info(text);
  process.stdin.once("data", async () => {
    await flush();
    logger.info("last");
    await flush();
    process.stdout.write("flushed\\n", () => process.exit(0));
  });
  process.stdout.write("ready\\n");
`;

it("holds a bounded part of what its reader does not take, and says how much was lost: it grew without end", async () => {
  const { child, stderr, said } = start(flood);
  child.stderr?.pause();
  await said("ready");
  const flushed = said("flushed");
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.stderr?.resume();
  child.stdin?.write("go");
  await flushed;
  await closed;
  expect(stderr().length).toBeLessThan(10_000_000);
  const lost = Number(/"lines":(\d+),"msg":"lines of this log were lost/.exec(stderr())?.[1]);
  expect(lost + (stderr().match(/"msg":"x/g) ?? []).length).toBe(40_000);
  expect(stderr()).toContain('"msg":"last"');
});
