import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Database, driverOf, openDatabase } from "../database.ts";
import type { Driver, RunOptions, SqlValue, Statement } from "./driver.ts";

const SEED = new URL("../../../../seed/pglite-18.tar.gz", import.meta.url);
const run: RunOptions = { namespace: { tenantId: randomUUID(), agentId: randomUUID() } };
const sql = (text: string, ...values: SqlValue[]): Statement => ({ text, values });

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "hango-pglite-test-"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("PGlite in a temporary directory", () => {
  const here = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("hango-pglite-"));
  let database: Database;
  let driver: Driver;
  let mine: readonly string[];
  beforeAll(async () => {
    const before = new Set(here());
    database = await openDatabase("pglite:");
    mine = here().filter((name) => !before.has(name));
    driver = driverOf(database);
  });

  it("ends a statement that never gives way, answers the others, and loses nothing acknowledged", async () => {
    await driver.run([sql("create table t (n int)")], run);
    await Promise.all(Array.from({ length: 10 }, (_, n) => driver.run([sql("insert into t values ($1)", n)], run)));
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 5);
    const endless = driver.run([sql("insert into t values (99)"), sql("select count(*) from generate_series(1, 100000000) a, generate_series(1, 1000) b")], {
      ...run,
      timeoutMs: 300,
    });
    const waiting = driver.run([sql("select count(*) as n from t")], run);
    await expect(endless).rejects.toMatchObject({ code: "timeout" });
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(5);
    expect((await waiting).rows).toEqual([[{ n: 10 }]]);
  });

  it("gives a call the time that it asks for: an erase, which has half an hour, was said to be ended after four minutes and went on", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const slow = driver.run([sql("select pg_sleep(0.3), 1 as n")], { ...run, timeoutMs: 1_800_000 });
      // The thread has it before the clock goes on.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(1_700_000);
      expect((await slow).rows).toMatchObject([[{ n: 1 }]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("starts the next thread as soon as one is ended: whoever came next waited for all of it", async () => {
    const started = new Promise((resolve) => process.once("worker", resolve));
    await expect(driver.run([sql("select count(*) from generate_series(1, 100000000)")], { ...run, timeoutMs: 100 })).rejects.toMatchObject({
      code: "timeout",
    });
    await started; // and nobody has asked for it
    let more = 0;
    const count = (): void => void (more += 1);
    process.on("worker", count);
    expect((await driver.run([sql("select 1 as n")], run)).rows).toEqual([[{ n: 1 }]]);
    process.off("worker", count);
    expect(more).toBe(0);
  });

  it("lets a queued call leave on abort before its turn", async () => {
    const slow = driver.run([sql("select pg_sleep(0.3)")], run);
    const controller = new AbortController();
    const queued = driver.run([sql("create table never (n int)")], { ...run, signal: controller.signal });
    const reason = new Error("no longer wanted");
    controller.abort(reason);
    await expect(queued).rejects.toBe(reason);
    await slow;
    expect((await driver.run([sql("select to_regclass('never')::text as t")], run)).rows).toEqual([[{ t: null }]]);
  });

  it("waits on close for what is in flight, then removes the directory", async () => {
    expect(mine.length).toBeGreaterThan(0);
    const last = driver.run([sql("select pg_sleep(0.2), 1 as n")], run);
    await database.close();
    expect((await last).rows[0]?.[0]).toMatchObject({ n: 1 });
    expect(mine.some((name) => !here().includes(name))).toBe(true);
  });
});

describe("PGlite on disk", () => {
  it("keeps acknowledged rows over close and open, leaves no lock, and refuses a second opener", async () => {
    const url = `pglite:${join(base, "kept")}`;
    const first = await openDatabase(url);
    await driverOf(first).run([sql("create table t (n int)"), sql("insert into t values (5)")], run);
    await expect(openDatabase(url)).rejects.toMatchObject({ code: "unavailable", details: { pid: process.pid } });
    await first.close();
    expect(readdirSync(base)).toEqual(["kept"]);
    const second = await openDatabase(url);
    expect((await driverOf(second).run([sql("select n from t")], run)).rows).toEqual([[{ n: 5 }]]);
    await second.close();
  });

  it("refuses a store of another Postgres major, naming export and import, and a directory of other files", async () => {
    const old = join(base, "old");
    mkdirSync(old);
    writeFileSync(join(old, "PG_VERSION"), "16\n");
    await expect(openDatabase(`pglite:${old}`)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/PostgreSQL 16.*hango export.*hango import/),
    });
    const foreign = join(base, "foreign");
    mkdirSync(foreign);
    writeFileSync(join(foreign, "notes.txt"), "mine");
    await expect(openDatabase(`pglite:${foreign}`)).rejects.toMatchObject({ code: "invalid_argument" });
    expect(readdirSync(foreign)).toEqual(["notes.txt"]);
    expect(existsSync(`${old}.lock`)).toBe(false);
  });

  it("says so when it can't write beside the directory", async () => {
    writeFileSync(join(base, "file"), "");
    await expect(openDatabase(`pglite:${join(base, "file", "data")}`)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("beside it"),
    });
  });

  it("starts over in a directory whose first opening was cut off", async () => {
    const half = join(base, "half");
    mkdirSync(half);
    writeFileSync(join(half, "PG_VERSION"), "18\n");
    writeFileSync(`${half}.creating`, "");
    const database = await openDatabase(`pglite:${half}`);
    expect((await driverOf(database).run([sql("select 1 as n")], run)).rows).toEqual([[{ n: 1 }]]);
    await database.close();
    expect(existsSync(`${half}.creating`)).toBe(false);
  });

  it("acknowledges nothing more once its directory was removed, and still closes", async () => {
    const directory = join(base, "removed");
    const database = await openDatabase(`pglite:${directory}`);
    const driver = driverOf(database);
    await driver.run([sql("create table t (n int)")], run);
    rmSync(directory, { recursive: true });
    for (const text of ["insert into t values (1)", "select n from t"])
      await expect(driver.run([sql(text)], run)).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("was removed or replaced") });
    await database.close();
    expect(existsSync(`${directory}.lock`)).toBe(false);
    const again = await openDatabase(`pglite:${directory}`);
    expect((await driverOf(again).run([sql("select to_regclass('t')::text as t")], run)).rows).toEqual([[{ t: null }]]);
    await again.close();
  });

  it("reopens after its process was killed in the middle of writing, with every acknowledged row", async () => {
    const directory = join(base, "killed");
    const script = `import { openDatabase, driverOf } from ${JSON.stringify(new URL("../database.ts", import.meta.url).href)};
      const driver = driverOf(await openDatabase("pglite:" + process.argv[1]));
      const run = { namespace: { tenantId: "${randomUUID()}", agentId: "${randomUUID()}" } };
      await driver.run([{ text: "create table t (n int)", values: [] }], run);
      for (let n = 1; ; n++) { await driver.run([{ text: "insert into t values ($1)", values: [n] }], run); console.log(n); }`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script, directory], { stdio: ["ignore", "pipe", "inherit"] });
    let acknowledged = 0;
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        acknowledged = Number(chunk.toString().trim().split("\n").at(-1));
        if (acknowledged >= 50) child.kill("SIGKILL");
      });
      child.once("exit", () => resolve());
    });
    const database = await openDatabase(`pglite:${directory}`);
    const { rows } = await driverOf(database).run([sql("select count(*) as n, max(n) as last from t")], run);
    expect(Number(rows[0]?.[0]?.["n"])).toBeGreaterThanOrEqual(acknowledged);
    expect(rows[0]?.[0]?.["n"]).toBe(rows[0]?.[0]?.["last"]);
    await database.close();
  });

  it("says what to install when the package is not there", async () => {
    const copy = join(base, "without");
    cpSync(fileURLToPath(new URL("../../../", import.meta.url)), join(copy, "src"), { recursive: true });
    const modules = fileURLToPath(new URL("../../../../../../node_modules/", import.meta.url));
    mkdirSync(join(copy, "node_modules"));
    for (const name of ["pg", "kysely"]) symlinkSync(join(modules, name), join(copy, "node_modules", name));
    writeFileSync(join(copy, "package.json"), '{"type":"module"}');
    const script = `import { openDatabase } from ${JSON.stringify(pathToFileURL(join(copy, "src/storages/postgres/database.ts")).href)};
      await openDatabase("pglite:").catch((error) => console.log(error.code, error.message));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(output).toMatch(/^unsupported .*npm install @electric-sql\/pglite/);
  });

  it("does not keep a process alive that has nothing more to do", async () => {
    const script = `import { openDatabase } from ${JSON.stringify(new URL("../database.ts", import.meta.url).href)}; await openDatabase("pglite:"); console.log("open");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(0);
  });

  it("keeps a process alive until a thread that was ended is gone: an answer that came too late let it exit in silence, with code 13", async () => {
    const directory = join(base, "ending");
    mkdirSync(directory);
    const script = `
      import { startPgliteThread } from ${JSON.stringify(new URL("pglite-thread.ts", import.meta.url).href)};
      const { thread, opened } = startPgliteThread({ directory: ${JSON.stringify(directory)}, seedFile: ${JSON.stringify(fileURLToPath(SEED))} });
      await opened;
      void thread.ask({ kind: "query", text: "select 1", values: [] });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000); // the answer is there, and not yet heard
      await thread.end();
      console.log("ended");`;
    expect(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })).toBe("ended\n");
  });
});
