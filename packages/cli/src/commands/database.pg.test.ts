import pg from "pg";
import { migrateUp } from "hango/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type FreshDatabase, freshDatabase, onServer } from "../../../../test/support/fresh-database.ts";
import { ensureBuilt, type Ran, type RunOptions, runHango } from "../built.test-support.ts";

let fresh: FreshDatabase;
let role = "";
let roleUrl = "";
const hango = (args: readonly string[], options: RunOptions = {}): Promise<Ran> => runHango(args, { ...options, env: { HANGO_DB: fresh.url, ...options.env } });

beforeAll(async () => {
  fresh = await freshDatabase(inject("postgresUrl"));
  role = `hango_plain_${Date.now()}`;
  roleUrl = fresh.url.replace("postgres@", `${role}@`);
  await onServer(fresh.url, `create role ${role} login`);
  await ensureBuilt();
}, 300_000);
afterAll(async () => {
  await onServer(fresh.url, `drop owned by ${role}`);
  await onServer(fresh.url, `drop role ${role}`);
  await fresh.drop();
});

describe("the commands for a database, the built binary", { timeout: 240_000 }, () => {
  it("before the migrations: each says the whole command, which then works", async () => {
    expect(await hango(["ls"])).toMatchObject({
      code: 5,
      stdout: "",
      stderr: expect.stringMatching(/^hango: The database is not migrated.*npx hango migrate up --db postgres:/),
    });
    expect(await hango(["doctor"])).toMatchObject({ code: 1, stdout: expect.stringMatching(/^bad +schema .*\n +→ Run: npx hango migrate up --db postgres:/m) });
    expect((await hango(["migrate", "status"])).stdout).toMatch(/^001-files +not run\n/);
    expect((await hango(["migrate", "up"])).stdout).toMatch(/^ran 001-files\n/);
    expect((await hango(["migrate", "up"])).stdout).toBe("Nothing to do: every migration has run.\n");
    expect((await hango(["migrate", "status", "--schema", "other"])).stdout).toMatch(/^001-files +not run\n/);
  });

  it("a superuser's commands print no warning; doctor says what it means", async () => {
    expect(await hango(["write", "/a"], { input: "one\n" })).toMatchObject({ code: 0, stderr: "" });
    const doctor = await hango(["doctor"]);
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warn +row-level security +off: postgres is a superuser/m) });
    for (const line of [/^ok +server +PostgreSQL 1\d/m, /^ok +schema .*every migration has run/m, /^ok +pooler +none seen/m, /^(ok|warn) +synchronous_commit/m])
      expect(doctor.stdout).toMatch(line);
    const checks = JSON.parse((await hango(["doctor", "--json"])).stdout) as readonly { state: string }[];
    expect(checks.filter(({ state }) => state === "bad")).toEqual([]);
  });

  it("an ordinary role: what it lacks, with the command; and fenced once it has it", async () => {
    const env = { HANGO_DB: roleUrl };
    expect(await hango(["doctor"], { env })).toMatchObject({ code: 1, stdout: expect.stringMatching(/^bad +role .*\n +→ .*grant usage on schema hango/m) });
    await onServer(fresh.url, `grant usage on schema hango to ${role}`);
    await onServer(fresh.url, `grant select, insert, update, delete on all tables in schema hango to ${role}`);
    expect(await hango(["doctor"], { env })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok +row-level security +on/m) });
    expect((await hango(["cat", "/a"], { env })).stdout).toBe("one\n");
    expect(await hango(["migrate", "down", "--yes"], { env })).toMatchObject({ code: 1 });
    await onServer(fresh.url, `alter role ${role} set statement_timeout = '1s'`);
    await onServer(fresh.url, `alter role ${role} set datestyle = 'German'`);
    const doctor = await hango(["doctor"], { env });
    expect(doctor.stdout).toMatch(/^warn +statement_timeout +1s/m);
    expect(doctor.stdout).toMatch(/^bad +datestyle +German/m);
  });

  it("a server that is not there is exit 5, in words, and the password stays unsaid", async () => {
    const env = { HANGO_DB: "postgres://me:s3cret@127.0.0.1:1/x" };
    for (const args of [["ls"], ["doctor"], ["migrate", "status"]]) {
      const ran = await hango(args, { env });
      expect(ran.code).toBe(args[0] === "doctor" ? 1 : 5);
      expect(ran.stdout + ran.stderr).toMatch(/me@127\.0\.0\.1:1\/x can't be reached/);
      expect(ran.stdout + ran.stderr).not.toContain("s3cret");
    }
    expect((await hango(["ls"], { env: { HANGO_DB: "mysql://x" } })).code).toBe(2);
  });

  it("Ctrl-C while a write waits for a lock ends at once with 130, and nothing is said or written", async () => {
    const holder = new pg.Client({ connectionString: fresh.url });
    await holder.connect();
    try {
      await holder.query("begin");
      await holder.query("lock table hango.agent_files in access exclusive mode");
      const waiting = new Promise<Ran>((settle, fail) => {
        const stop = new AbortController();
        const ran = hango(["write", "/locked"], { input: "x", stop: stop.signal });
        ran.then(settle, fail);
        void untilWaiting().then(() => stop.abort(), fail);
      });
      expect(await waiting).toMatchObject({ code: 130, stdout: "", stderr: "" });
    } finally {
      await holder.query("rollback");
      await holder.end();
    }
    expect((await hango(["cat", "/locked"])).code).toBe(3);
  });

  it("migrate down names what goes, asks, and refuses where nobody can answer", async () => {
    const asked = await hango(["migrate", "down", "--all"]);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toMatch(
      /undoes 003-row-level-security, 002-audit, 001-files[^]*agent_files is dropped with 1 row [^]*1 file of 4 bytes, of every tenant[^]*--yes/,
    );
    expect((await hango(["cat", "/a"])).stdout).toBe("one\n");
    expect((await hango(["migrate", "down", "--all", "--yes"])).stdout).toBe("undid 003-row-level-security\nundid 002-audit\nundid 001-files\n");
    expect((await hango(["migrate", "down", "--yes"])).stdout).toBe("Nothing to undo: no migration has run.\n");
    await migrateUp(fresh.url);
    expect((await hango(["cat", "/a"])).code).toBe(3);
  });
});

/** Until some statement of this database waits for a lock. */
async function untilWaiting(): Promise<void> {
  const looker = new pg.Client({ connectionString: inject("postgresUrl") });
  await looker.connect();
  try {
    const name = new URL(fresh.url).pathname.slice(1);
    for (let waiting = 0; waiting === 0;) {
      const { rows } = await looker.query("select count(*)::int as n from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'", [name]);
      waiting = Number((rows[0] as { n: number }).n);
    }
  } finally {
    await looker.end();
  }
}
