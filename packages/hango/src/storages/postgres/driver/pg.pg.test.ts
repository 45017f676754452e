import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../../../../../test/support/fresh-database.ts";
import { type PostgresServer, startPostgres } from "../../../../../../test/support/postgres-server.ts";
import { driverOf, openDatabase } from "../database.ts";
import type { Driver, RunOptions, SqlValue, Statement } from "./driver.ts";

const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
const run: RunOptions = { namespace };
const sql = (text: string, ...values: SqlValue[]): Statement => ({ text, values });

async function admin(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function runningOn(url: string, marker: string): Promise<number> {
  const active = `select count(*) as n from pg_stat_activity where state = 'active' and query like '%${marker}%' and pid <> pg_backend_pid()`;
  return Number((await admin(url, active))[0]?.["n"]);
}

async function waitFor(look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await look()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("waited 30 s in vain");
}

describe("the pg driver on a shared server", () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase(inject("postgresUrl"));
    await (await openDatabase(fresh.url, { migrate: true })).close();
    await admin(fresh.url, "create table t (k text primary key)");
  });
  afterAll(() => fresh.drop());

  async function withDriver<T>(options: Parameters<typeof openDatabase>[1], use: (driver: Driver) => Promise<T>): Promise<T> {
    const database = await openDatabase(fresh.url, options);
    try {
      return await use(driverOf(database));
    } finally {
      await database.close();
    }
  }
  const running = (marker: string): Promise<number> => runningOn(fresh.url, marker);

  it("cancels on the server what an aborted call was running", async () => {
    await withDriver({ maxConnections: 1 }, async (driver) => {
      const controller = new AbortController();
      const slow = driver.run([sql("select pg_sleep(60) as aborted_marker")], { ...run, signal: controller.signal });
      // Awaited below; it may end before that.
      slow.catch(() => undefined);
      await waitFor(async () => (await running("aborted_marker")) === 1);
      controller.abort(new Error("enough"));
      await expect(slow).rejects.toThrow("enough");
      await waitFor(async () => (await running("aborted_marker")) === 0);
      expect((await driver.run([sql("select 1 as n")], run)).rows).toEqual([[{ n: 1 }]]);
    });
  });

  it("answers unavailable within the acquire timeout when the pool is exhausted, and never hangs", async () => {
    await withDriver({ maxConnections: 1 }, async (driver) => {
      const blocker = driver.run([sql("select pg_sleep(3)")], run);
      await expect(driver.run([sql("select 1")], run)).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("maxConnections") });
      const controller = new AbortController();
      const waiting = driver.run([sql("select 1")], { ...run, signal: controller.signal });
      controller.abort(new Error("gave up"));
      await expect(waiting).rejects.toThrow("gave up");
      await blocker;
      expect((await driver.run([sql("select 1 as n")], run)).rows).toEqual([[{ n: 1 }]]);
    });
  });

  it('waits on close for calls that have no connection yet, which were refused with "No connection came free"', async () => {
    const database = await openDatabase(fresh.url, { maxConnections: 1 });
    const driver = driverOf(database);
    const calls = Array.from({ length: 5 }, (_, n) => driver.run([sql("select pg_sleep(0.05), $1::int as n", n)], run));
    const closing = database.close();
    await expect(driver.run([sql("select 1")], run)).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("was closed") });
    expect((await Promise.all(calls)).map(({ rows }) => rows[0]?.[0]?.["n"])).toEqual([0, 1, 2, 3, 4]);
    await closing;
  });

  it("gives no connection back that is still running, also when the abort's reason is an error of a server", async () => {
    await withDriver({ maxConnections: 1 }, async (driver) => {
      const controller = new AbortController();
      const slow = driver.run([sql("select pg_sleep(60) as reason_marker")], { ...run, signal: controller.signal });
      slow.catch(() => undefined);
      await waitFor(async () => (await running("reason_marker")) === 1);
      controller.abort(Object.assign(new Error("the caller's own"), { code: "40001" }));
      await expect(slow).rejects.toThrow("the caller's own");
      expect((await driver.run([sql("select 1 as n")], run)).rows).toEqual([[{ n: 1 }]]);
      await waitFor(async () => (await running("reason_marker")) === 0);
    });
  });

  it("leaves connections free for point reads while slow greps run", async () => {
    await withDriver({ maxConnections: 5 }, async (driver) => {
      const slow = Array.from({ length: 12 }, () => driver.run([sql("select pg_sleep(0.3) as grep_marker")], { ...run, share: "grep", timeoutMs: 2000 }));
      await waitFor(async () => (await running("grep_marker")) > 0);
      const reads = await Promise.all(Array.from({ length: 8 }, () => driver.run([sql("select 1 as n")], run)));
      expect(reads).toHaveLength(8);
      expect(await running("grep_marker")).toBeLessThanOrEqual(1);
      await Promise.all(slow);
    });
  });

  it("works on the user's own pool, pipelined or not, and leaves it open", async () => {
    for (const pipeline of [true, false]) {
      const pool = new pg.Pool({ connectionString: fresh.url, max: 2, pipeline } as pg.PoolConfig);
      await withDriver({ pool }, async (driver) => {
        await expect(driver.run([sql("insert into t values ('own')"), sql("select 1 / $1::int", 0)], run)).rejects.toMatchObject({ code: "internal" });
        expect((await driver.run([sql("select count(*) as n from t"), sql("select $1::text as b", "x")], { ...run, timeoutMs: 1000 })).rows).toEqual([
          [{ n: 0 }],
          [{ b: "x" }],
        ]);
      });
      expect((await pool.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
      expect(pool.listenerCount("error")).toBe(0);
      await pool.end();
    }
  });

  it("repeats a run that lost a deadlock", async () => {
    await admin(fresh.url, "create table d (k int primary key, n int); insert into d values (1, 0), (2, 0)");
    const bump = (k: number): Statement => sql("update d set n = n + 1 where k = $1", k);
    const wait = sql("select pg_sleep(0.2)");
    await withDriver({}, async (driver) => {
      const both = await Promise.all([driver.run([bump(1), wait, bump(2)], run), driver.run([bump(2), wait, bump(1)], run)]);
      expect(both.map((result) => result.attempts)).toEqual([1, 1]);
      expect((await driver.run([sql("select n from d order by k")], run)).rows).toEqual([[{ n: 2 }, { n: 2 }]]);
    });
  });

  it("repeats a run whose connection was ended, and counts the attempt", async () => {
    await withDriver({ maxConnections: 2 }, async (driver) => {
      // It sleeps until it is ended, however long the machine takes to see that it runs; the second attempt does not.
      const sleep = sql("select pg_sleep(case when to_regclass('seen') is null then 60 else 0 end) as ended_marker");
      const lost = driver.run([sleep, sql("select 7 as n")], { ...run, timeoutMs: 50_000 });
      await waitFor(async () => (await running("ended_marker")) === 1);
      await admin(fresh.url, "create table seen ()");
      await admin(
        fresh.url,
        "select pg_terminate_backend(pid) from pg_stat_activity where state = 'active' and query like '%ended_marker%' and pid <> pg_backend_pid()",
      );
      expect(await lost).toMatchObject({ rows: [[{}], [{ n: 7 }]], attempts: 2 });
    });
  });

  it("gets over a plan that a migration made stale", async () => {
    await admin(fresh.url, "create table s (a int); insert into s values (1)");
    await withDriver({ maxConnections: 1 }, async (driver) => {
      const look = (): Promise<unknown> => driver.run([sql("select * from s")], run).then((result) => result.rows);
      expect(await look()).toEqual([[{ a: 1 }]]);
      await admin(fresh.url, "alter table s add column b text default 'x'");
      expect(await look()).toEqual([[{ a: 1, b: "x" }]]);
    });
  });

  it("keeps the password out of the message when the server can't be reached", async () => {
    const url = fresh.url.replace("postgres@", "postgres:s3cret@").replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1");
    const error = await openDatabase(url).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: "unavailable" });
    expect(String((error as Error).message)).not.toContain("s3cret");
  });
});

describe("row-level security", () => {
  let fresh: FreshDatabase;
  let appUrl: string;
  const role = `hango_app_${randomUUID().slice(0, 8)}`;
  const mine = { tenantId: randomUUID(), agentId: randomUUID() };
  const other = { tenantId: randomUUID(), agentId: randomUUID() };
  const insert = (schema: string, owner: typeof mine, path: string): Statement =>
    sql(
      `insert into ${schema}.agent_files (id, tenant_id, agent_id, path, content, size_bytes, content_type) values ($1, $2, $3, $4, 'x', 1, 'text/plain')`,
      randomUUID(),
      owner.tenantId,
      owner.agentId,
      path,
    );

  beforeAll(async () => {
    fresh = await freshDatabase(inject("postgresUrl"));
    await (await openDatabase(fresh.url, { migrate: true })).close();
    await admin(
      fresh.url,
      `create role ${role} login; grant usage on schema hango to ${role}; grant select, insert, update, delete on all tables in schema hango to ${role}`,
    );
    appUrl = fresh.url.replace("postgres@", `${role}@`);
  });
  afterAll(async () => {
    await fresh.drop();
    await admin(inject("postgresUrl"), `drop role ${role}`);
  });

  it("keeps tenants apart for an ordinary role even when a statement has no WHERE", async () => {
    const database = await openDatabase(appUrl);
    const driver = driverOf(database);
    await driver.run([insert(driver.schema, mine, "/mine")], { namespace: mine });
    await driver.run([insert(driver.schema, other, "/other")], { namespace: other });
    const all = sql("select path from hango.agent_files");
    expect((await driver.run([all], { namespace: mine })).rows).toEqual([[{ path: "/mine" }]]);
    expect((await driver.run([all], { namespace: other })).rows).toEqual([[{ path: "/other" }]]);
    expect((await driver.run([all], { namespace: { ...mine, agentId: randomUUID() } })).rows).toEqual([[]]);
    await driver.run([sql("update hango.agent_files set content_type = 'text/x'")], { namespace: mine });
    await driver.run([sql("delete from hango.agent_files")], { namespace: mine });
    expect((await driver.run([sql("select path, content_type from hango.agent_files")], { namespace: other })).rows).toEqual([
      [{ path: "/other", content_type: "text/plain" }],
    ]);
    await expect(driver.run([insert(driver.schema, other, "/foreign")], { namespace: mine })).rejects.toMatchObject({
      code: "internal",
      cause: { code: "42501" },
    });
    await database.close();
  });

  it("never carries a tenant over to the connection's next run", async () => {
    const database = await openDatabase(appUrl, { maxConnections: 1 });
    const driver = driverOf(database);
    await driver.run([insert(driver.schema, mine, "/again")], { namespace: mine });
    const pairs = Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? mine : other));
    const answers = await Promise.all(
      pairs.slice(0, 100).map((namespace) => driver.run([sql("select distinct tenant_id from hango.agent_files")], { namespace })),
    );
    answers.forEach((answer, at) => expect(answer.rows[0]?.map((row) => row["tenant_id"])).toEqual([pairs[at]?.tenantId]));
    const pool = new pg.Pool({ connectionString: appUrl, max: 1 });
    expect((await pool.query("select * from hango.agent_files")).rows).toEqual([]);
    await pool.end();
    await database.close();
  });

  it("leaves out a setting that the role may not set, so that its greps still run", async () => {
    const database = await openDatabase(appUrl);
    const result = await driverOf(database).run([sql("select 1 as n")], { namespace: mine, settings: { temp_file_limit: "1GB" } });
    expect(result.rows).toEqual([[{ n: 1 }]]);
    await database.close();
    const asAdmin = await openDatabase(fresh.url);
    const limited = await driverOf(asAdmin).run([sql("select current_setting('temp_file_limit') as l")], {
      namespace: mine,
      settings: { temp_file_limit: "1GB" },
    });
    expect(limited.rows).toEqual([[{ l: "1GB" }]]);
    await asAdmin.close();
  });

  it("refuses a role and an option that contradict each other, and says what to do", async () => {
    await expect(openDatabase(fresh.url, { rowLevelSecurity: true })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("--app-role hango_app"),
    });
    await expect(openDatabase(appUrl, { rowLevelSecurity: false })).rejects.toMatchObject({ code: "invalid_argument", message: expect.stringContaining(role) });
    await (await openDatabase(appUrl, { rowLevelSecurity: true })).close();
  });
});

describe("the pg driver over a server that dies", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it("goes on after kill -9 and a restart, with every acknowledged row", async () => {
    const database = await openDatabase(server.url, { migrate: true });
    const driver = driverOf(database);
    await driver.run([sql("create table t (k int primary key)")], run);
    await Promise.all(Array.from({ length: 20 }, (_, k) => driver.run([sql("insert into t values ($1)", k)], run)));
    await server.kill();
    await expect(driver.run([sql("select 1")], run)).rejects.toMatchObject({ code: "unavailable" });
    await server.restart();
    expect((await driver.run([sql("select count(*) as n from t")], run)).rows).toEqual([[{ n: 20 }]]);
    await database.close();
  });

  it("answers unavailable with the outcome unknown when the server dies in the middle and stays away", async () => {
    await server.restart();
    const database = await openDatabase(server.url, { migrate: true });
    const lost = driverOf(database).run([sql("select pg_sleep(30) as dying_marker")], run);
    lost.catch(() => undefined);
    await waitFor(async () => (await runningOn(server.url, "dying_marker")) === 1);
    await server.kill();
    await expect(lost).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("outcome of the call is unknown") });
    await database.close();
  });
});
