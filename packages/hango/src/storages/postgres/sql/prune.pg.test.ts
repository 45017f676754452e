import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Driver } from "../driver/driver.ts";
import { storageOver } from "../postgres-storage.ts";
import { bytesOf, ENGINES, losingAnswers, openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

describe.each(ENGINES)("prune on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine);
  });
  afterAll(() => subject.close());

  const age = (agentId: string, path: string, days: number): Promise<unknown> =>
    subject.query("update hango.agent_files set updated_at = $1::timestamptz where agent_id = $2::uuid and path = $3::text returning path", [
      daysAgo(days).toISOString(),
      agentId,
      path,
    ]);

  it("deletes machine files that are older, of every session, and nothing else; usage and record say so", async () => {
    const [namespace, other] = [subject.namespace(), subject.namespace()];
    const storage = subject.storage.scope(namespace);
    const [one, two] = [randomUUID(), randomUUID()];
    const machine = [`large_tool_results/${one}/a`, `large_tool_results/${one}/young`, `conversation_history/${two}.md`];
    const ordinary = ["docs/a.md", "large_tool_results0", "memories/m", "conversation_history.md"];
    for (const path of [...machine, ...ordinary]) await storage.write(path, bytesOf("12345"));
    await subject.storage.scope(other).write(machine[0] as string, bytesOf("x"));
    for (const path of [...machine, ...ordinary]) if (!path.endsWith("young")) await age(namespace.agentId, `/${path}`, 31);
    await age(other.agentId, `/${machine[0]}`, 31);

    expect(await subject.storage.prune(namespace, { olderThan: daysAgo(32) })).toEqual({ files: 0, bytes: 0 });
    expect(await subject.storage.prune(namespace, { olderThan: daysAgo(30) })).toEqual({ files: 2, bytes: 10 });
    expect((await storage.list()).map(({ path }) => path)).toEqual([
      "conversation_history.md",
      "docs/a.md",
      `large_tool_results/${one}/young`,
      "large_tool_results0",
      "memories/m",
    ]);
    expect(await subject.storage.usage(namespace)).toEqual({ files: 5, bytes: 25 });
    expect(await subject.storage.usage(other)).toEqual({ files: 1, bytes: 1 });
    const events = (await subject.storage.events(namespace)).filter(({ action }) => action === "file.delete");
    expect(events.map(({ path, actor, outcome, reason, sizeBytes }) => [path, actor, outcome, reason, sizeBytes])).toEqual([
      [`/conversation_history/${two}.md`, "operator", "ok", "pruned by age", 5],
      [`/large_tool_results/${one}/a`, "operator", "ok", "pruned by age", 5],
    ]);
    expect(await subject.storage.prune(namespace, { olderThan: daysAgo(30) })).toEqual({ files: 0, bytes: 0 });
  });

  it.each([499, 500, 501, 1_001])("goes through %d files in transactions of 500", async (count) => {
    const namespace = subject.namespace();
    const storage = subject.storage.scope(namespace);
    const session = randomUUID();
    await storage.apply?.(Array.from({ length: count }, (_, n) => ({ kind: "create", path: `large_tool_results/${session}/${n}`, bytes: bytesOf("xy") })));
    let runs = 0;
    const driver: Driver = { ...subject.driver, run: (statements, options) => (runs++, subject.driver.run(statements, options)) };
    expect(await storageOver(driver).prune(namespace, { olderThan: daysAgo(-1) })).toEqual({ files: count, bytes: 2 * count });
    expect(await storage.list()).toEqual([]);
    expect(await subject.storage.usage(namespace)).toEqual({ files: 0, bytes: 0 });
    // One more for the other machine directory, and one that finds the end where a batch was full.
    expect(runs).toBe(Math.floor(count / 500) + 2);
  });

  it("counts each file once when answers are lost and the statement runs again", async () => {
    const namespace = subject.namespace();
    const storage = subject.storage.scope(namespace);
    const session = randomUUID();
    await storage.apply?.(Array.from({ length: 501 }, (_, n) => ({ kind: "create", path: `large_tool_results/${session}/${n}`, bytes: bytesOf("xy") })));
    expect(await storageOver(losingAnswers(subject.driver)).prune(namespace, { olderThan: daysAgo(-1) })).toEqual({ files: 501, bytes: 1_002 });
    expect(await subject.storage.usage(namespace)).toEqual({ files: 0, bytes: 0 });
    expect((await subject.storage.events(namespace, { limit: 1_000 })).filter(({ action }) => action === "file.delete")).toHaveLength(501);
  });

  it("stops between two transactions when it is aborted", async () => {
    const namespace = subject.namespace();
    const storage = subject.storage.scope(namespace);
    await storage.apply?.(Array.from({ length: 501 }, (_, n) => ({ kind: "create", path: `large_tool_results/${randomUUID()}/${n}`, bytes: bytesOf("x") })));
    const stop = new AbortController();
    const driver: Driver = {
      ...subject.driver,
      run: async (statements, options) => {
        const result = await subject.driver.run(statements, options);
        stop.abort(new Error("enough"));
        return result;
      },
    };
    await expect(storageOver(driver).prune(namespace, { olderThan: daysAgo(-1), signal: stop.signal })).rejects.toThrow("enough");
    expect(await subject.storage.usage(namespace)).toEqual({ files: 1, bytes: 1 });
  });

  it("refuses what is no time, and a misspelled option", async () => {
    for (const options of [{}, { olderThan: 5 }, { olderThan: new Date(Number.NaN) }, { olderThan: new Date(), days: 3 }])
      await expect(subject.storage.prune(subject.namespace(), options as never)).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
