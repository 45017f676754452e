import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../../../../test/support/fresh-database.ts";
import { type Database, driverOf, openDatabase } from "../database.ts";
import type { Driver, RunOptions, SqlValue, Statement } from "./driver.ts";

const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
const run: RunOptions = { namespace };
const sql = (text: string, ...values: SqlValue[]): Statement => ({ text, values });

interface Subject {
  readonly name: string;
  readonly open: () => Promise<{ readonly database: Database; readonly drop: () => Promise<void> }>;
}

const subjects: readonly Subject[] = [
  {
    name: "postgres",
    open: async () => {
      const fresh = await freshDatabase(inject("postgresUrl"));
      return { database: await openDatabase(fresh.url, { migrate: true, rowLevelSecurity: "auto" }), drop: fresh.drop };
    },
  },
  {
    name: "postgres without prepared statements",
    open: async () => {
      const fresh = await freshDatabase(inject("postgresUrl"));
      return { database: await openDatabase(fresh.url, { migrate: true, preparedStatements: false }), drop: fresh.drop };
    },
  },
  { name: "pglite", open: async () => ({ database: await openDatabase("pglite:"), drop: async () => undefined }) },
];

describe.each(subjects)("a driver over $name", ({ name, open }) => {
  let database: Database;
  let driver: Driver;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ database, drop } = await open());
    driver = driverOf(database);
    await driver.run([sql('create table t (k text collate "C" primary key, n bigint, b bytea, a text[])')], run);
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });
  const count = async (k: string): Promise<unknown> => (await driver.run([sql("select count(*) as n from t where k = $1", k)], run)).rows[0]?.[0]?.["n"];

  it("answers the rows of each statement, in order, and counts one attempt", async () => {
    const result = await driver.run([sql("select 1 as a"), sql("select $1::text as b union all select 'z'", "y")], run);
    expect(result).toEqual({ rows: [[{ a: 1 }], [{ b: "y" }, { b: "z" }]], attempts: 1 });
  });

  it("gives the same plain values from both engines", async () => {
    const bytes = Uint8Array.from([0, 1, 254, 255]);
    const texts = ["plain", "", "a,b", 'q"\\{}', "NULL", "😀"];
    await driver.run([sql("insert into t (k, n, b, a) values ($1, $2, $3, $4)", "values", 2 ** 40, bytes, texts)], run);
    const { rows } = await driver.run([sql("select n, b, a, n > 5 as big, now() as at, null::text as nothing from t where k = $1", "values")], run);
    const row = rows[0]?.[0] ?? {};
    expect(row).toMatchObject({ n: 2 ** 40, a: texts, big: true, nothing: null });
    expect(row["b"]).toBeInstanceOf(Uint8Array);
    expect([...(row["b"] as Uint8Array)]).toEqual([...bytes]);
    expect(row["at"]).toBeInstanceOf(Date);
  });

  it("takes nulls, booleans and bytes inside arrays", async () => {
    const { rows } = await driver.run(
      [
        sql(
          "select $1::text[] as t, $2::bool[] as f, $3::bytea[] as b, $4::int[] as i, $5::uuid[] as u, $6::bool as x",
          ["a", null],
          [true, false],
          [Uint8Array.of(1, 2), null],
          [1, null],
          [namespace.tenantId],
          false,
        ),
      ],
      run,
    );
    const row = rows[0]?.[0] ?? {};
    expect(row).toMatchObject({ t: ["a", null], f: [true, false], i: [1, null], u: [namespace.tenantId], x: false });
    expect([...((row["b"] as readonly Uint8Array[])[0] ?? [])]).toEqual([1, 2]);
  });

  it("carries a megabyte of bytes both ways and leaves the caller's own alone", async () => {
    const whole = new Uint8Array(1024 * 1024 + 10).map((_, at) => at % 251);
    const view = whole.subarray(5, 5 + 1024 * 1024);
    const { rows } = await driver.run([sql("select $1::bytea as b", view)], run);
    expect(Buffer.from(rows[0]?.[0]?.["b"] as Uint8Array).equals(Buffer.from(view))).toBe(true);
    expect(whole.byteLength).toBe(1024 * 1024 + 10);
  });

  it("undoes a run whose middle statement fails, and reports that first error", async () => {
    const failing = driver.run([sql("insert into t (k) values ('middle')"), sql("select 1 / $1::int", 0), sql("insert into t (k) values ('after')")], run);
    await expect(failing).rejects.toMatchObject({ code: "internal", cause: { code: "22012" } });
    expect(await count("middle")).toBe(0);
    expect(await count("after")).toBe(0);
  });

  it("does not take COMMIT's success for the transaction's: a deferred failure is an error", async () => {
    await driver.run([sql("create table d (k int primary key deferrable initially deferred)")], run);
    const failing = driver.run([sql("insert into d values (1)"), sql("insert into d values (1)")], run);
    await expect(failing).rejects.toMatchObject({ code: "conflict", cause: { code: "23505" } });
    expect((await driver.run([sql("select * from d")], run)).rows[0]).toEqual([]);
  });

  it.each([
    ["an object", { a: 1 }],
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["a date", new Date(0)],
    ["a nested array", [["a"]]],
    ["an array with an object", ["a", {}]],
    ["a bigint", 1n],
  ])("refuses %s before anything is sent, so that the rest can't commit without it", async (_, value) => {
    const failing = driver.run([sql("insert into t (k) values ('refused')"), sql("select $1::text", value as SqlValue)], run);
    await expect(failing).rejects.toMatchObject({ code: "internal", message: expect.stringContaining("parameter $1") });
    expect(await count("refused")).toBe(0);
  });

  it.each([
    ["22021", "select $1::text", ["a\0b"], "invalid_content"],
    ["2201B", "select 'a' ~ $1", ["(("], "invalid_pattern"],
    ["42P01", "select * from nowhere", [], "internal"],
  ] as const)("answers SQLSTATE %s with a code of hango's", async (state, text, values, code) => {
    await expect(driver.run([sql(text, ...values)], run)).rejects.toMatchObject({ code, cause: { code: state } });
  });

  it("names the quota that a write ran into", async () => {
    const insert = `insert into ${driver.schema}.agent_usage (tenant_id, agent_id, files, bytes, max_files, max_bytes) values ($1, $2, $3, $4, 1, 10)`;
    const { tenantId } = namespace;
    await expect(driver.run([sql(insert, tenantId, randomUUID(), 2, 0)], run)).rejects.toMatchObject({
      code: "quota_exceeded",
      details: { constraint: "quota_files" },
    });
    await expect(driver.run([sql(insert, tenantId, randomUUID(), 0, 11)], run)).rejects.toMatchObject({
      code: "quota_exceeded",
      details: { constraint: "quota_bytes" },
    });
  });

  it("rejects an aborted call with the signal's reason, before and during the run", async () => {
    const reason = new Error("enough");
    await expect(driver.run([sql("select 1")], { ...run, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const slow = driver.run([sql("select pg_sleep(1)")], { ...run, signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(slow).rejects.toBe(reason);
    expect((await driver.run([sql("select 2 as n")], run)).rows).toEqual([[{ n: 2 }]]);
  });

  it("answers timeout over its deadline, changes nothing, and goes on working", async () => {
    const slow = driver.run([sql("insert into t (k) values ('late')"), sql("select pg_sleep(20)")], { ...run, timeoutMs: 200 });
    await expect(slow).rejects.toMatchObject({ code: "timeout" });
    expect(await count("late")).toBe(0);
  });

  it("keeps a run's settings inside its transaction", async () => {
    const inside = await driver.run([sql("select current_setting('work_mem') as m")], { ...run, settings: { work_mem: "9MB" } });
    expect(inside.rows).toEqual([[{ m: "9MB" }]]);
    const others = await Promise.all(Array.from({ length: 12 }, () => driver.run([sql("select current_setting('work_mem') as m")], run)));
    expect(others.map((other) => other.rows[0]?.[0]?.["m"])).not.toContain("9MB");
  });

  it("runs many at once, each with its own answer", async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        driver.run([sql("select $1::int as n", n), sql("select $1::int + 1 as n", n)], { ...run, share: n % 2 === 0 ? "main" : "grep" }),
      ),
    );
    expect(results.map((result) => result.rows.flat().map((row) => row["n"]))).toEqual(results.map((_, n) => [n, n + 1]));
  });

  it("refuses a call after close", async () => {
    const again = await open();
    await again.database.close();
    await again.database.close();
    await expect(driverOf(again.database).run([sql("select 1")], run)).rejects.toMatchObject({ code: "unavailable" });
    await again.drop();
  });

  it("answers from a table whose columns changed since a statement was named", async () => {
    await driver.run([sql("create table widened (a int)"), sql("insert into widened values (1)")], run);
    const all = sql("select * from widened");
    expect((await driver.run([all], run)).rows).toEqual([[{ a: 1 }]]);
    await driver.run([sql("alter table widened add b int default 2")], run);
    expect((await driver.run([all], run)).rows).toEqual([[{ a: 1, b: 2 }]]);
    await driver.run([sql("alter table widened add c int default 3")], run);
    expect((await driver.run([sql("select 1 as n"), all], run)).rows).toEqual([[{ n: 1 }], [{ a: 1, b: 2, c: 3 }]]);
  });

  it("tells what the engine can do", () => {
    expect(driver.capabilities).toMatchObject(
      name === "pglite" ? { engine: "pglite", regex: true, treeLock: "none" } : { engine: "postgres", regex: true, treeLock: "advisory" },
    );
    expect(driver.capabilities.serverVersion).toBeGreaterThanOrEqual(140000);
  });
});
