import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isHangoError } from "../../../errors.ts";
import type { Mutation, Namespace } from "../../../storage.ts";
import { bytesOf, ENGINES, openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";
import { databaseOver } from "../database.ts";
import type { LoadOptions } from "../postgres-storage.ts";
import { hasTenancy } from "./has-tenancy.ts";
import { type Tenancy, tenancyOver } from "./tenancy.ts";

const WRITERS = 64;
/** PGlite takes one after the other. */
const ROUNDS: Readonly<Record<(typeof ENGINES)[number], number>> = { postgres: 12, pglite: 4 };

describe.each(ENGINES)("quotas on %s", (engine) => {
  let subject: Subject;
  let tenancy: Tenancy;
  beforeAll(async () => {
    subject = await openSubject(engine, { server: true });
    tenancy = tenancyOver(subject.driver);
  });
  afterAll(() => subject.close());

  async function agent(): Promise<Namespace> {
    const { id: tenantId } = await tenancy.createTenant({ name: "acme" });
    return { tenantId, agentId: (await tenancy.createAgent(tenantId, { name: "a", createdBy: "ann" })).id };
  }

  it(
    `${WRITERS} writers at an agent's quota of files and bytes never exceed it, and the counters equal the truth afterwards`,
    { timeout: 240_000 },
    async () => {
      const namespace = await agent();
      const quota = { maxFiles: 12, maxBytes: 600 };
      await subject.storage.setQuota(namespace, quota);
      const files = subject.storage.scope(namespace);
      const tally = { done: 0, refused: 0, lost: 0 };
      let over = 0;
      let running = true;
      const watch = async (): Promise<void> => {
        while (running) {
          const [held] = await subject.query(
            "select count(*)::int as files, coalesce(sum(size_bytes), 0)::int as bytes from hango.agent_files where tenant_id = $1::uuid and agent_id = $2::uuid",
            [namespace.tenantId, namespace.agentId],
          );
          if (Number(held?.["files"]) > quota.maxFiles || Number(held?.["bytes"]) > quota.maxBytes) over += 1;
        }
      };
      const writer = async (number: number): Promise<void> => {
        for (let round = 0; round < ROUNDS[engine]; round++) {
          const path = `f${(number * 7 + round * 13) % 71}`;
          try {
            if ((number + round) % 5 === 0) await files.delete(path);
            else await files.write(path, bytesOf("x".repeat((number * 31 + round * 17) % 120)));
            tally.done += 1;
          } catch (error) {
            if (isHangoError(error, "quota_exceeded")) tally.refused += 1;
            else if (isHangoError(error, "not_found") || isHangoError(error, "unavailable")) tally.lost += 1;
            else throw error;
          }
        }
      };
      const watching = watch();
      await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number))).finally(() => (running = false));
      await watching;
      const [truth] = await subject.query(
        "select count(*)::int as files, coalesce(sum(size_bytes), 0)::int as bytes from hango.agent_files where tenant_id = $1::uuid and agent_id = $2::uuid",
        [namespace.tenantId, namespace.agentId],
      );
      expect(over).toBe(0);
      expect(await subject.storage.usage(namespace)).toEqual({ files: truth?.["files"], bytes: truth?.["bytes"], ...quota });
      expect(tally.refused).toBeGreaterThan(0);
      expect(tally.done).toBeGreaterThan(20);
    },
  );

  it("a tenant's is over the sum of its agents: what would grow past it is refused, names limit and use, and changes nothing", async () => {
    const one = await agent();
    const two = { ...one, agentId: (await tenancy.createAgent(one.tenantId, { name: "b", createdBy: "ann" })).id };
    await tenancy.setQuota(one.tenantId, { maxFiles: 3, maxBytes: 10 });
    const [first, second] = [tenancy.storage.scope(one), tenancy.storage.scope(two)];
    await first.write("a", bytesOf("1234"));
    await second.write("a", bytesOf("1234"));
    await expect(second.write("b", bytesOf("123"))).rejects.toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("2 of 3 files in use, 8 of 10 bytes in use") as string,
      details: { files: 2, bytes: 8, maxFiles: 3, maxBytes: 10 },
    });
    await second.write("b", bytesOf("12"));
    await expect(first.write("c", bytesOf(""))).rejects.toMatchObject({ code: "quota_exceeded" });
    await expect(first.write("a", bytesOf("12345"))).rejects.toMatchObject({ code: "quota_exceeded" });
    await first.write("a", bytesOf("4321"));
    await first.write("a", bytesOf("1"));
    await expect(first.apply?.([{ kind: "create", path: "n", bytes: bytesOf("") }])).rejects.toMatchObject({ code: "quota_exceeded" });
    await first.apply?.([{ kind: "modify", path: "a", bytes: bytesOf("1234") }]);
    await first.delete("a");
    await first.write("c", bytesOf("c"));
    expect(await tenancy.usage(one.tenantId)).toEqual({ files: 3, bytes: 7, maxFiles: 3, maxBytes: 10 });
    await tenancy.setQuota(one.tenantId, {});
    await first.write("d", bytesOf("x".repeat(100)));
  });

  it("an apply counts what it deletes: at the limit, a file made in another's place was refused, though nothing grew", async () => {
    const namespace = await agent();
    const files = tenancy.storage.scope(namespace);
    await tenancy.setQuota(namespace.tenantId, { maxFiles: 2, maxBytes: 8 });
    const { version } = await files.write("a", bytesOf("1234"));
    await files.write("b", bytesOf("1234"));
    const instead = (text: string): ReturnType<NonNullable<typeof files.apply>> | undefined =>
      files.apply?.([
        { kind: "delete", path: "a", ifVersion: version },
        { kind: "create", path: "c", bytes: bytesOf(text) },
      ]);
    await expect(instead("12345")).rejects.toMatchObject({ code: "quota_exceeded", path: "/c" });
    await instead("1234");
    expect(await tenancy.usage(namespace.tenantId)).toMatchObject({ files: 2, bytes: 8 });
  });

  it("a stale precondition is said before the quota: at the limit, a create over a file was quota_exceeded, not already_exists", async () => {
    const namespace = await agent();
    const files = tenancy.storage.scope(namespace);
    await tenancy.setQuota(namespace.tenantId, { maxFiles: 2, maxBytes: 8 });
    const { version: stale } = await files.write("a", bytesOf("1"));
    const { version } = await files.write("a", bytesOf("1234"));
    await files.write("b", bytesOf("1234"));
    const more = bytesOf("12345");
    const apply = async (mutations: readonly Mutation[]): Promise<unknown> => files.apply?.(mutations);
    const runs: readonly (() => Promise<unknown>)[] = [
      () => files.write("b", more, { ifVersion: "absent" }),
      () => files.write("a", more, { ifVersion: stale }),
      () => files.write("gone", more, { ifVersion: stale }),
      () => apply([{ kind: "create", path: "b", bytes: more }]),
      () => apply([{ kind: "modify", path: "a", bytes: more, ifVersion: stale }]),
      () => apply([{ kind: "modify", path: "gone", bytes: more }]),
      () =>
        apply([
          { kind: "create", path: "c", bytes: more },
          { kind: "delete", path: "gone" },
        ]),
      () => files.write("c", more, { ifVersion: "absent" }),
      () => files.write("a", more, { ifVersion: version }),
      () => apply([{ kind: "modify", path: "a", bytes: more }]),
    ];
    const told: string[] = [];
    for (const run of runs)
      told.push(
        await run().then(
          () => "done",
          (error: unknown) => (isHangoError(error) ? error.code : String(error)),
        ),
      );
    const [exists, old, over] = ["already_exists", "conflict", "quota_exceeded"];
    expect(told).toEqual([exists, old, old, exists, old, old, old, over, over, over]);
    expect(await tenancy.usage(namespace.tenantId)).toMatchObject({ files: 2, bytes: 8 });
  });

  it("a tenant that is not there has none to set or to show", async () => {
    const { tenantId } = subject.namespace();
    await expect(tenancy.setQuota(tenantId, { maxFiles: 1 })).rejects.toMatchObject({ code: "not_found" });
    await expect(tenancy.usage(tenantId)).rejects.toMatchObject({ code: "not_found" });
    await expect(tenancy.setQuota(tenantId, { maxFiles: -1 })).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("a misspelled limit changes nothing: setQuota(id, { maxfiles: 10 }) lifted both limits of a tenant without a word", async () => {
    const namespace = await agent();
    await tenancy.setQuota(namespace.tenantId, { maxFiles: 1, maxBytes: 2 });
    await expect(tenancy.setQuota(namespace.tenantId, { maxfiles: 10 } as never)).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("maxfiles is none of it") as string,
    });
    expect(await tenancy.usage(namespace.tenantId)).toMatchObject({ maxFiles: 1, maxBytes: 2 });
  });

  describe("a load under a tenant's quota", () => {
    const load = (namespace: Namespace, files: Readonly<Record<string, string>>, options: LoadOptions = {}): ReturnType<Tenancy["storage"]["load"]> =>
      tenancy.storage.load(
        namespace,
        Object.entries(files).map(([path, text]) => ({ path, bytes: bytesOf(text), updatedAt: new Date(2_000) })),
        options,
      );

    it("is refused at the first file that is too much, all of it where that was asked for", async () => {
      const namespace = await agent();
      await tenancy.setQuota(namespace.tenantId, { maxFiles: 3, maxBytes: 10 });
      await expect(load(namespace, { a: "1", b: "1", c: "1", d: "1" }, { atomic: true })).rejects.toMatchObject({
        code: "quota_exceeded",
        path: "/d",
        message: expect.stringContaining("0 of 3 files in use") as string,
      });
      expect(await tenancy.usage(namespace.tenantId)).toMatchObject({ files: 0, bytes: 0 });
      await expect(load(namespace, { a: "12345", b: "123456" })).rejects.toMatchObject({ code: "quota_exceeded", path: "/b" });
      expect(await load(namespace, { a: "12345", b: "12345" })).toMatchObject({ files: 2 });
    });

    it("says what can't be stored as a load without one does: no bytes were a TypeError, and '../x' was quota_exceeded", async () => {
      const namespace = await agent();
      await tenancy.setQuota(namespace.tenantId, { maxFiles: 1, maxBytes: 4 });
      await expect(tenancy.storage.load(namespace, [{ path: "a" } as never])).rejects.toMatchObject({ code: "invalid_argument" });
      const hostile = { "../x": "12345", "large_tool_results/s/1": "12345" };
      expect(await load(namespace, { ...hostile, a: "1234" })).toMatchObject({ files: 1, refused: 2 });
      await expect(load(namespace, hostile, { atomic: true })).rejects.toMatchObject({ code: "invalid_argument" });
    });

    it("counts what is there already, so that the same load can be run again at the limit", async () => {
      const namespace = await agent();
      await tenancy.setQuota(namespace.tenantId, { maxFiles: 2, maxBytes: 4 });
      await load(namespace, { a: "12", b: "12" });
      expect(await load(namespace, { a: "12", b: "12" })).toMatchObject({ files: 0, unchanged: 2 });
      expect(await load(namespace, { a: "123", b: "123" })).toMatchObject({ kept: 2 });
      expect(await load(namespace, { a: "123" }, { overwrite: "newer" })).toMatchObject({ older: 1 });
      await expect(load(namespace, { a: "123" }, { overwrite: "always" })).rejects.toMatchObject({ code: "quota_exceeded" });
      expect(await load(namespace, { a: "1", b: "123" }, { overwrite: "always" })).toMatchObject({ replaced: 2 });
      await expect(load(namespace, { c: "" })).rejects.toMatchObject({ code: "quota_exceeded" });
      await tenancy.setQuota(namespace.tenantId, {});
      expect(await load(namespace, { c: "" })).toMatchObject({ files: 1 });
    });
  });

  it("hold where a database has a server's tables, which it can be asked", async () => {
    expect(await hasTenancy(databaseOver(subject.driver))).toBe(true);
    const plain = await openSubject(engine);
    expect(await hasTenancy(databaseOver(plain.driver))).toBe(false);
    await plain.close();
  });
});
