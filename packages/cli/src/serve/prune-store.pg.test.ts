import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { HangoError } from "hango";
import { type Database, openDatabase, type PostgresStorage, postgresStorage, type Tenancy, tenancyOf } from "hango/postgres";
import { type FreshDatabase, freshDatabase } from "../../../../test/support/fresh-database.ts";
import { pruneStore, type PruneStoreOptions } from "./prune-store.ts";

const DAY_MS = 86_400_000;
const bytes = new TextEncoder().encode("a stored result");
let fresh: FreshDatabase;
let database: Database;
let [tenancy, storage]: [Tenancy, PostgresStorage] = [] as never;

beforeAll(async () => {
  fresh = await freshDatabase(inject("postgresUrl"));
  database = await openDatabase(fresh.url, { server: true, migrate: true, rowLevelSecurity: false });
  [tenancy, storage] = [tenancyOf(database), postgresStorage(database)];
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

it("prunes machine files and the record of every agent of every tenant by age, and leaves what people wrote", async () => {
  const namespaces = [];
  for (const tenant of ["one", "two"]) {
    const { id: tenantId } = await tenancy.createTenant({ name: tenant });
    for (const agent of ["a", "b"]) {
      const { id: agentId } = await tenancy.createAgent(tenantId, { name: agent, createdBy: "ada" });
      const files = storage.scope({ tenantId, agentId });
      await files.write(`large_tool_results/${randomUUID()}/1`, bytes);
      await files.write("notes/kept.md", bytes);
      namespaces.push({ tenantId, agentId });
    }
  }
  const lines: string[] = [];
  const prune = (ages: PruneStoreOptions["settings"], afterDays: number): ReturnType<typeof pruneStore> =>
    pruneStore(
      { tenancy, storage, settings: ages, logger: pino({}, { write: (line: string) => void lines.push(line) }), now: () => Date.now() + afterDays * DAY_MS },
      new AbortController().signal,
    );

  expect(await prune({ pruneMachineFilesMs: 30 * DAY_MS, pruneAuditMs: 365 * DAY_MS }, 29)).toEqual({ files: 0, bytes: 0, events: 0 });
  expect(lines).toEqual([]);
  expect(await prune({ pruneMachineFilesMs: 30 * DAY_MS, pruneAuditMs: 365 * DAY_MS }, 31)).toEqual({ files: 4, bytes: 4 * bytes.length, events: 0 });
  // Two writes of each agent, and what pruning itself recorded.
  expect(await prune({ pruneAuditMs: 365 * DAY_MS }, 366)).toEqual({ files: 0, bytes: 0, events: 12 });
  for (const namespace of namespaces) {
    expect((await storage.scope(namespace).list()).map(({ path }) => path)).toEqual(["notes/kept.md"]);
    expect(await storage.events(namespace)).toEqual([]);
  }
  expect(lines).toHaveLength(2);
});

it("goes on to the others when one agent fails: it ended the round for all after it, each time", async () => {
  const { id: tenantId } = await tenancy.createTenant({ name: "three" });
  const agents: string[] = [];
  for (const agent of ["a", "b", "c"]) {
    const { id: agentId } = await tenancy.createAgent(tenantId, { name: agent, createdBy: "ada" });
    await storage.scope({ tenantId, agentId }).write(`large_tool_results/${randomUUID()}/1`, bytes);
    agents.push(agentId);
  }
  const broken: PostgresStorage = {
    ...storage,
    prune: async (namespace, options) => {
      if (namespace.agentId === agents[0]) throw new Error("one bad row");
      return storage.prune(namespace, options);
    },
  };
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const later = { tenancy, settings: { pruneMachineFilesMs: DAY_MS }, logger, now: () => Date.now() + 2 * DAY_MS };
  expect(await pruneStore({ ...later, storage: broken }, new AbortController().signal)).toMatchObject({ files: 2 });
  expect(lines).toMatchObject([{ level: 50, tenant: tenantId, agent: agents[0] }, { files: 2 }]);
  expect(await pruneStore({ ...later, storage }, new AbortController().signal)).toMatchObject({ files: 1 });
});

it("ends the round when the database does not answer, which is one error for all: it was a line for each agent", async () => {
  const { id: tenantId } = await tenancy.createTenant({ name: "four" });
  for (const agent of ["a", "b"]) await tenancy.createAgent(tenantId, { name: agent, createdBy: "ada" });
  let asked = 0;
  const down: PostgresStorage = {
    ...storage,
    prune: async () => {
      asked += 1;
      throw new HangoError("unavailable", "The connection to the database was lost.");
    },
  };
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const round = pruneStore({ tenancy, storage: down, settings: { pruneMachineFilesMs: DAY_MS }, logger }, new AbortController().signal);
  await expect(round).rejects.toMatchObject({ code: "unavailable" });
  expect([asked, lines]).toEqual([1, []]);
});

it("stops when the server closes", async () => {
  const stop = AbortSignal.abort(new Error("closing"));
  await expect(pruneStore({ tenancy, storage, settings: { pruneAuditMs: DAY_MS }, logger: pino({ level: "silent" }) }, stop)).rejects.toThrow("closing");
});
