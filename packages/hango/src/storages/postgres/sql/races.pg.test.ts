import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isHangoError } from "../../../errors.ts";
import type { Namespace, Storage } from "../../../storage.ts";
import { bytesOf, openSubject, type Subject, textAt } from "../../../../../../test/support/postgres-subject.ts";

const CLIENTS = 64;
/** With each of the two locks. */
const ROUNDS = 200;

/** The codes of what failed; a failure of another kind fails the test. */
async function outcomes(calls: readonly Promise<unknown>[], expected: readonly string[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((result) => {
    if (result.status === "fulfilled") return "ok";
    const reason: unknown = result.reason;
    if (!isHangoError(reason) || !expected.includes(reason.code)) throw reason;
    return reason.code;
  });
}

// PGlite runs one transaction after another, so a race can only show on a server.
describe.each([undefined, "row"] as const)("clients that race on postgres (tree lock: %s)", (treeLock) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject("postgres", { maxConnections: 16, ...(treeLock === undefined ? {} : { treeLock }) });
  });
  afterAll(() => subject.close());
  const fresh = (): { readonly namespace: Namespace; readonly storage: Storage } => {
    const namespace = subject.namespace();
    return { namespace, storage: subject.storage.scope(namespace) };
  };

  it("with one token have exactly one winner in each round, and its bytes stand", async () => {
    const { storage } = fresh();
    let { version } = await storage.write("a", bytesOf("start"));
    for (let round = 0; round < 50; round++) {
      const expected = version;
      const calls = Array.from({ length: CLIENTS }, (_, client) => storage.write("a", bytesOf(`${round}:${client}`), { ifVersion: expected }));
      const results = await outcomes(calls, ["conflict"]);
      const winners = results.flatMap((result, client) => (result === "ok" ? [client] : []));
      expect(winners).toHaveLength(1);
      expect(await textAt(storage, "a")).toBe(`${round}:${winners[0]}`);
      const stale = await Promise.allSettled(calls);
      version = (await storage.read("a")).info.version;
      for (const result of stale)
        if (result.status === "rejected") expect((result.reason as { details: unknown }).details).toEqual({ currentVersion: version });
    }
  });

  it("of which one deletes never lose a write silently", async () => {
    const { storage } = fresh();
    for (let round = 0; round < 100; round++) {
      const { version } = await storage.write("a", bytesOf("start"));
      const [write, remove] = await outcomes(
        [storage.write("a", bytesOf("new"), { ifVersion: version }), storage.delete("a", { ifVersion: version })],
        ["conflict"],
      );
      expect([write, remove].toSorted()).toEqual(["conflict", "ok"]);
    }
  });

  it("all write when nothing is expected, also while others delete", async () => {
    const { storage, namespace } = fresh();
    for (let round = 0; round < 20; round++) {
      const calls = Array.from({ length: CLIENTS }, (_, client) => (client % 4 === 3 ? storage.delete("a") : storage.write("a", bytesOf("x".repeat(client)))));
      const results = await outcomes(calls, ["not_found"]);
      expect(results.filter((result, client) => client % 4 !== 3 && result !== "ok")).toEqual([]);
    }
    const files = await storage.list();
    expect(await subject.storage.usage(namespace)).toEqual({ files: files.length, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) });
  });

  it("for /a and what is below it never get both", { timeout: 180_000 }, async () => {
    const { storage } = fresh();
    const paths = ["a", "a/b", "a/b/c", "a/x/y/z"];
    for (let round = 0; round < ROUNDS; round++) {
      const calls = Array.from({ length: CLIENTS }, (_, client) => storage.write(`r${round}/${paths[client % paths.length]}`, bytesOf("x")));
      await outcomes(calls, ["not_a_file", "not_a_directory"]);
    }
    const all = (await storage.list()).map(({ path }) => path);
    const files = new Set(all);
    const violations = all.filter((path) => path.split("/").some((_, at, parts) => at > 0 && files.has(parts.slice(0, at).join("/"))));
    expect([violations, new Set(all.map((path) => path.split("/")[0])).size]).toEqual([[], ROUNDS]);
  });

  it("in commits and single writes meet no deadlock and keep the counts exact", async () => {
    const { storage, namespace } = fresh();
    const some = (seed: number): readonly string[] => Array.from({ length: 20 }, (_, at) => `f${(seed * 7 + at * 13) % 40}`);
    const commit = async (seed: number): Promise<void> => {
      const there = new Map((await storage.list()).map((info) => [info.path, info.version]));
      const mutations = [...new Set(some(seed))].toReversed().map((path, at) => {
        const ifVersion = there.get(path);
        if (ifVersion === undefined) return { kind: "create", path, bytes: bytesOf("c".repeat(at)) } as const;
        return at % 3 === 0
          ? ({ kind: "delete", path, ifVersion } as const)
          : ({ kind: "modify", path, ifVersion, bytes: bytesOf("m".repeat(at * 2)) } as const);
      });
      await storage.apply?.(mutations);
    };
    for (let round = 0; round < 10; round++) {
      const calls = Array.from({ length: 16 }, (_, client) => {
        if (client % 2 === 0) return commit(round * 16 + client);
        return client % 3 === 0 ? storage.delete(`f${(client * round) % 40}`) : storage.write(`f${(client + round) % 40}`, bytesOf("w".repeat(client)));
      });
      await outcomes(calls, ["conflict", "already_exists", "not_found"]);
    }
    const files = await storage.list();
    expect(await subject.storage.usage(namespace)).toEqual({ files: files.length, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) });
    expect(files.length).toBeGreaterThan(0);
  });

  it("at a quota never pass it, and the counts stay exact", async () => {
    const { storage, namespace } = fresh();
    await subject.storage.setQuota(namespace, { maxFiles: 6, maxBytes: 600 });
    for (let round = 0; round < 10; round++) {
      const calls = Array.from({ length: CLIENTS }, (_, client) => {
        const path = `d${client % 3}/f${(client * 7 + round) % 11}`;
        return client % 5 === 4 ? storage.delete(path) : storage.write(path, bytesOf("x".repeat((client * 17) % 200)));
      });
      const results = await outcomes(calls, ["quota_exceeded", "not_found"]);
      expect(results).toContain("quota_exceeded");
      const files = await storage.list();
      const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      expect(await subject.storage.usage(namespace)).toEqual({ files: files.length, bytes, maxFiles: 6, maxBytes: 600 });
      expect([files.length <= 6, bytes <= 600]).toEqual([true, true]);
    }
  });
});
