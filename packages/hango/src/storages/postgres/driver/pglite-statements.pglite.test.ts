import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite, protocol } from "@electric-sql/pglite";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SqlValue, Statement } from "./driver.ts";
import { createPgliteStatements, isStale, MAX_NAMED, type PgliteStatements } from "./pglite-statements.ts";
import { unpackSeed } from "./unpack-seed.ts";

const SEED = fileURLToPath(new URL("../../../../seed/pglite-18.tar.gz", import.meta.url));
const sql = (text: string, ...values: SqlValue[]): Statement => ({ text, values });

describe("named statements on PGlite", () => {
  const directory = mkdtempSync(join(tmpdir(), "hango-pglite-test-"));
  let db: PGlite;
  let statements: PgliteStatements;
  beforeAll(async () => {
    await unpackSeed(SEED, directory);
    db = await PGlite.create({ dataDir: directory });
  });
  beforeEach(async () => {
    await db.exec("deallocate all");
    statements = createPgliteStatements(db, protocol.serialize);
  });
  afterAll(async () => {
    await db.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const named = async (): Promise<number> => (await db.query<{ n: number }>("select count(*)::int as n from pg_prepared_statements")).rows[0]?.n ?? -1;
  const rowsOf = async (...given: readonly Statement[]): Promise<readonly unknown[]> => (await statements.run(given)).map(({ rows }) => rows);

  it("names a text once, and sends a transaction of known ones in one call", async () => {
    const transaction = [sql("begin"), sql("select $1::int as n", 1), sql("select $1::int + 1 as m", 1), sql("commit")];
    await statements.run(transaction);
    const calls = vi.spyOn(db, "execProtocolStream");
    expect(await statements.run(transaction)).toEqual([
      { command: "BEGIN", rows: [] },
      { command: "SELECT", rows: [{ n: 1 }] },
      { command: "SELECT", rows: [{ m: 2 }] },
      { command: "COMMIT", rows: [] },
    ]);
    expect(calls).toHaveBeenCalledTimes(1);
    calls.mockRestore();
    expect(await named()).toBe(4);
  });

  it.each([
    [MAX_NAMED - 1, MAX_NAMED - 1],
    [MAX_NAMED, MAX_NAMED],
    [MAX_NAMED + 1, 1],
  ])("after %i texts the engine keeps %i", async (texts, kept) => {
    for (let n = 0; n < texts; n++) expect(await rowsOf(sql(`select ${n} as n`))).toEqual([[{ n }]]);
    expect(await named()).toBe(kept);
  });

  it("plans anew as what was sent doubles: a plan made for an empty table read all of it for ever", async () => {
    await db.exec("create table grown (k int primary key, t text)");
    await db.exec("vacuum grown");
    const find = sql("select t from grown where k = $1", 1);
    for (let n = 0; n < 10; n++) await rowsOf(find);
    for (let n = 0; n < 20; n++) await rowsOf(sql("insert into grown select n, $2 from generate_series($1::int, $1::int + 99) n", n * 100, "x".repeat(20_000)));
    await db.exec("select pg_stat_force_next_flush()");
    const scans = async (): Promise<unknown> => (await db.query("select seq_scan from pg_stat_user_tables where relname = 'grown'")).rows;
    const before = await scans();
    for (let n = 0; n < 10; n++) await rowsOf(find);
    await db.exec("select pg_stat_force_next_flush()");
    expect(await scans()).toEqual(before);
  });

  it("drops names inside a failed transaction too, which can then be rolled back", async () => {
    await statements.run([sql("begin"), sql("select 1")]);
    await expect(statements.run([sql("select 1 / $1::int, length($2::text)", 0, "x".repeat(100_000))])).rejects.toMatchObject({ code: "22012" });
    expect(await statements.run([sql("rollback")])).toEqual([{ command: "ROLLBACK", rows: [] }]);
    expect(await rowsOf(sql("select 2 as n"))).toEqual([[{ n: 2 }]]);
  });

  it("says that a name is stale once, and then makes it anew", async () => {
    await db.exec("create table changed (a int); insert into changed values (1)");
    const all = sql("select * from changed");
    expect(await rowsOf(all)).toEqual([[{ a: 1 }]]);
    await db.exec("alter table changed add b int default 2");
    const stale = await statements.run([all]).catch((error: unknown) => error);
    expect(stale).toMatchObject({ message: "cached plan must not change result type" });
    expect(isStale(stale)).toBe(true);
    expect(await rowsOf(all)).toEqual([[{ a: 1, b: 2 }]]);
    await db.exec("deallocate all");
    expect(isStale(await statements.run([all]).catch((error: unknown) => error))).toBe(true);
    expect(await rowsOf(all)).toEqual([[{ a: 1, b: 2 }]]);
  });

  it("fails, and answers nothing, when the engine breaks off its answer", async () => {
    await rowsOf(sql("select 1 as n"));
    const cut = vi.spyOn(db, "execProtocolStream").mockResolvedValueOnce([]);
    await expect(statements.run([sql("select 1 as n")])).rejects.toThrow("broke off");
    cut.mockRestore();
  });

  it("takes what a COPY brings between other statements, and texts that end in nothing", async () => {
    const copy = { ...sql("copy taken (n) from stdin"), copy: new TextEncoder().encode("1\n2\n") };
    const answers = await statements.run([
      sql("begin"),
      sql("create table taken (n int)"),
      copy,
      sql("select sum(n)::int as s from taken"),
      sql("commit"),
      sql(""),
    ]);
    expect(answers.map(({ command }) => command)).toEqual(["BEGIN", "CREATE", "COPY", "SELECT", "COMMIT", ""]);
    expect(answers[3]?.rows).toEqual([{ s: 3 }]);
  });
});
