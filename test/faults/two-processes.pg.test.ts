import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import { freshDatabase } from "../support/fresh-database.ts";

const source = (file: string): string => JSON.stringify(new URL(`../../packages/hango/src/storages/postgres/${file}`, import.meta.url).href);
const ROUNDS = Number(process.env["HANGO_MIGRATE_ROUNDS"] ?? 1);

interface Ran {
  readonly child: ChildProcess;
  readonly output: Promise<string>;
}

/** A process of its own; it waits for a line on its input, so that two start at the same moment. */
function start(script: string): Ran {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  const output = new Promise<string>((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stdout?.once("close", () => resolve(text));
  });
  return { child, output };
}

/** Until its parent, this process, has taken note of its end. */
function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

const WAIT = 'console.log("ready"); await new Promise((resolve) => process.stdin.once("data", resolve)); process.stdin.unref();';

async function together(scripts: readonly string[]): Promise<readonly string[]> {
  const all = scripts.map(start);
  await Promise.all(all.map(({ child }) => new Promise((resolve) => child.stdout?.once("data", resolve))));
  for (const { child } of all) child.stdin?.end("go\n");
  return Promise.all(all.map(async ({ output }) => (await output).replace("ready\n", "").trim()));
}

describe("two processes at once", () => {
  it("that migrate one database run each migration once, and neither fails", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const fresh = await freshDatabase(inject("postgresUrl"));
      const migrate = `import { migrateUp } from ${source("migrate.ts")}; ${WAIT}
        console.log(JSON.stringify(await migrateUp(${JSON.stringify(fresh.url)}).catch((error) => [error.code + ": " + error.message + String(error.cause)])));`;
      const ran = (await together([migrate, migrate])).flatMap((text) => JSON.parse(text) as string[]);
      expect(ran.toSorted()).toEqual(["001-files", "002-audit", "003-row-level-security"]);
      await (await openDatabase(fresh.url, { rowLevelSecurity: false })).close();
      await fresh.drop();
    }
  });

  it("of which one is killed while it migrates leave a database that the next one migrates", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const fresh = await freshDatabase(inject("postgresUrl"));
      const migrate = `import { migrateUp } from ${source("migrate.ts")}; ${WAIT} await migrateUp(${JSON.stringify(fresh.url)}); console.log("done");`;
      const { child } = start(migrate);
      await new Promise((resolve) => child.stdout?.once("data", resolve));
      child.stdin?.end("go\n");
      await new Promise((resolve) => setTimeout(resolve, 15 + round * 15));
      await killed(child);
      await (await openDatabase(fresh.url, { migrate: true, rowLevelSecurity: false })).close();
      await fresh.drop();
    }
  });

  it("that open one PGlite directory: one has it, and the other is told who", async () => {
    const base = mkdtempSync(join(tmpdir(), "hango-two-"));
    const url = `pglite:${join(base, "data")}`;
    const open = `import { openDatabase } from ${source("database.ts")}; ${WAIT}
      const opened = await openDatabase(${JSON.stringify(url)}).catch((error) => error);
      console.log(JSON.stringify({ pid: process.pid, code: opened.code, holder: opened.details?.pid, message: opened.message }));
      if (opened.close !== undefined) { await new Promise((resolve) => setTimeout(resolve, 1000)); await opened.close(); }`;
    try {
      const answers = (await together([open, open])).map((text) => JSON.parse(text) as { pid: number; code?: string; holder?: number; message?: string });
      const [winner, loser] = answers.toSorted((a, b) => Number(a.code !== undefined) - Number(b.code !== undefined));
      expect([winner?.code, loser?.code, loser?.holder]).toEqual([undefined, "unavailable", winner?.pid]);
      expect(loser?.message).toContain(`process ${winner?.pid}`);
      expect(readdirSync(base)).toEqual(["data"]);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });

  it("of which one had a PGlite directory and was killed: the next one takes it over", async () => {
    const base = mkdtempSync(join(tmpdir(), "hango-two-"));
    const url = `pglite:${join(base, "data")}`;
    const open = `import { openDatabase } from ${source("database.ts")}; await openDatabase(${JSON.stringify(url)}); console.log("open"); setInterval(() => 0, 1000);`;
    try {
      const { child } = start(open);
      await new Promise((resolve) => child.stdout?.once("data", resolve));
      await expect(openDatabase(url)).rejects.toMatchObject({ code: "unavailable", details: { pid: child.pid } });
      await killed(child);
      await (await openDatabase(url)).close();
      expect(readdirSync(base)).toEqual(["data"]);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});
