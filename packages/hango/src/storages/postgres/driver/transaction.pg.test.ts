import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINES, openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";
import type { Statement } from "./driver.ts";

const sql = (text: string, values: Statement["values"] = []): Statement => ({ text, values });

describe.each(ENGINES)("a transaction step by step on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine, engine === "postgres" ? { maxConnections: 2 } : {});
    await subject.query("create table public.t (n int primary key)");
  });
  afterAll(async () => {
    await subject?.close();
  });
  const namespace = { tenantId: "00000000-0000-4000-8000-000000000001", agentId: "00000000-0000-4000-8000-000000000002" };
  const count = async (): Promise<unknown> => (await subject.query("select count(*)::int as n from public.t"))[0]?.["n"];

  it("keeps what it committed, nothing of what it took back or what failed, and gives the connection back each time", async () => {
    for (let round = 0; round < 5; round++) {
      const kept = await subject.driver.begin({ namespace });
      expect(await kept.run([sql("insert into public.t values ($1)", [round]), sql("select n from public.t where n = $1", [round])])).toEqual([
        [],
        [{ n: round }],
      ]);
      await kept.commit();
      await kept.rollback();
      const undone = await subject.driver.begin({ namespace });
      await undone.run([sql("insert into public.t values (1000)")]);
      await undone.rollback();
      await expect(undone.run([sql("select 1")])).rejects.toMatchObject({ code: "unavailable" });
      const failed = await subject.driver.begin({ namespace });
      await failed.run([sql("insert into public.t values (2000)")]);
      await expect(failed.run([sql("insert into public.t values (2000)")])).rejects.toMatchObject({ code: "conflict" });
      await expect(failed.commit()).rejects.toMatchObject({ code: "unavailable" });
      await failed.rollback();
      expect(await count()).toBe(round + 1);
    }
  });

  it("binds settings for itself only, and a snapshot may not write", async () => {
    const begun = await subject.driver.begin({ namespace, settings: { enable_nestloop: "off" }, snapshot: true });
    expect((await begun.run([sql("select current_setting('enable_nestloop') as v")])).at(-1)).toEqual([{ v: "off" }]);
    await expect(begun.run([sql("insert into public.t values (3000)")])).rejects.toMatchObject({ code: "read_only" });
    expect(await subject.query("select current_setting('enable_nestloop') as v")).toEqual([{ v: "on" }]);
  });

  it("ends when it is aborted", async () => {
    const stop = new AbortController();
    const begun = await subject.driver.begin({ namespace, signal: stop.signal });
    await begun.run([sql("insert into public.t values (4000)")]);
    stop.abort(new Error("enough"));
    await expect(begun.run([sql("select 1")])).rejects.toThrow("enough");
    expect(await subject.query("select n from public.t where n = 4000")).toEqual([]);
  });

  it("gives each of two steps that are sent at once its own answer", async () => {
    const begun = await subject.driver.begin({ namespace });
    const steps = Array.from({ length: 8 }, (_, n) => begun.run([sql("select $1::int as n", [n]), sql(`select ${n} as m`)]));
    expect(await Promise.all(steps)).toEqual(steps.map((_, n) => [[{ n }], [{ m: n }]]));
    await begun.commit();
  });

  it("takes a COPY in between other statements, and nothing of one that fails in its middle", async () => {
    const header = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
    const row = (n: number): Buffer => Buffer.from([0, 1, 0, 0, 0, 4, 0, 0, n >> 8, n & 255]);
    const copy = (rows: readonly Buffer[]): Statement => ({
      ...sql("copy public.t from stdin (format binary)"),
      copy: Buffer.concat([header, ...rows, Buffer.from([255, 255])]),
    });
    const many = Array.from({ length: 20_000 }, (_, n) => row(10_000 + n));
    const { rows } = await subject.driver.run([sql("delete from public.t"), copy(many), sql("select count(*)::int as n from public.t")], { namespace });
    expect(rows.at(-1)).toEqual([{ n: 20_000 }]);
    await expect(subject.driver.run([copy([row(1), ...many, row(1)])], { namespace })).rejects.toMatchObject({ code: "conflict" });
    await expect(subject.driver.run([sql("select 1"), copy([Buffer.from("garbage")]), sql("select 1")], { namespace })).rejects.toMatchObject({
      code: "internal",
    });
    expect(await count()).toBe(20_000);
  });

  it.runIf(engine === "pglite")("keeps others out meanwhile, who then get their turn", async () => {
    const begun = await subject.driver.begin({ namespace });
    const waiting = count();
    await begun.run([sql("delete from public.t")]);
    await begun.rollback();
    expect(await waiting).toBe(20_000);
  });
});
