import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type FreshDatabase, freshDatabase, onServer } from "../../../../../test/support/fresh-database.ts";
import { openDatabase } from "./database.ts";
import { inspectDatabase, migrationLoss } from "./inspect.ts";
import { migrateDown, migrateUp } from "./migrate.ts";
import { MIGRATION_NAMES } from "./migrations/run.ts";
import { TABLES_OF_MIGRATION, TENANCY_TABLES } from "./migrations/tables.ts";
import { postgresStorage } from "./postgres-storage.ts";

const namespace = { tenantId: "0190b8c2-0000-7000-8000-00000000000a", agentId: "0190b8c2-0000-7000-8000-00000000000b" };

async function fill(url: string): Promise<void> {
  const database = await openDatabase(url, { migrate: true, rowLevelSecurity: "auto" });
  const storage = postgresStorage(database).scope(namespace);
  for (const path of ["a", "b"]) await storage.write(path, new TextEncoder().encode("12345"));
  await database.close();
}

describe.each(["postgres", "pglite"])("a look from outside at %s", (engine) => {
  let fresh: FreshDatabase | undefined;
  let home = "";
  let url = "";
  beforeAll(async () => {
    if (engine === "postgres") fresh = await freshDatabase(inject("postgresUrl"));
    home = mkdtempSync(join(tmpdir(), "hango-inspect-"));
    url = fresh?.url ?? `pglite:${join(home, "data")}`;
  });
  afterAll(async () => {
    await fresh?.drop();
    rmSync(home, { recursive: true, force: true });
  });

  it("says what is missing, then that nothing is", async () => {
    if (engine === "postgres") {
      expect(await inspectDatabase(url)).toMatchObject({ tables: 0, tablesExpected: 4, missing: MIGRATION_NAMES, mayReadAndWrite: false });
      await migrateUp(url);
    }
    const report = await inspectDatabase(url);
    expect(report).toMatchObject({
      tables: 4,
      forced: 4,
      missing: [],
      mayReadAndWrite: true,
      ownsTables: true,
      encoding: "UTF8",
      readOnly: false,
      backendChanges: false,
    });
    expect(report.product).toMatch(/^PostgreSQL \d/);
    expect(report.settings.get("synchronous_commit")).toMatch(/^(on|off)$/);
    expect(report.settings.get("statement_timeout")).toBe("0");
  });

  it("names what each step down would drop, and the step drops just that", async () => {
    await fill(url);
    expect(await migrationLoss(url)).toEqual({ migrations: ["003-row-level-security"], tables: [] });
    const all = await migrationLoss(url, { steps: 9 });
    expect(all.migrations).toEqual(["003-row-level-security", "002-audit", "001-files"]);
    expect(all.files).toEqual({ count: 2, bytes: 10 });
    expect(all.tables.map(({ name, rows, exact }) => [name, rows, exact])).toEqual([
      ["agent_files", 2, true],
      ["agent_trees", 0, true],
      ["agent_usage", 1, true],
      ["audit_events", 2, true],
    ]);
    await migrateUp(url, { server: true });
    expect((await migrationLoss(url)).tables.map(({ name }) => name)).toEqual(TENANCY_TABLES.toSorted());
    expect(await migrateDown(url)).toEqual(["server-001-tenancy"]);
    for (const [name, tables] of [...TABLES_OF_MIGRATION].filter(([each]) => MIGRATION_NAMES.includes(each)).toReversed()) {
      const before = (await inspectDatabase(url)).tables;
      expect((await migrationLoss(url)).tables.map((table) => table.name)).toEqual(tables.toSorted());
      expect(await migrateDown(url)).toEqual([name]);
      expect((await inspectDatabase(url)).tables).toBe(before - tables.length);
    }
    expect(await migrationLoss(url, { steps: 3 })).toEqual({ migrations: [], tables: [] });
  });
});

it("an ordinary role is told apart: it passes no policies, and its counts are estimates", async () => {
  const fresh = await freshDatabase(inject("postgresUrl"));
  const role = `hango_looker_${Date.now()}`;
  try {
    await migrateUp(fresh.url);
    await fill(fresh.url);
    await onServer(fresh.url, `create role ${role} login`);
    await onServer(fresh.url, `grant usage on schema hango to ${role}`);
    await onServer(fresh.url, `grant select on all tables in schema hango to ${role}`);
    const url = fresh.url.replace("postgres@", `${role}@`);
    expect(await inspectDatabase(url)).toMatchObject({ role, superuser: false, passesPolicies: false, ownsTables: false, mayReadAndWrite: false, missing: [] });
    const loss = await migrationLoss(url, { steps: 3 });
    expect(loss.files).toBeUndefined();
    expect(loss.tables.every(({ exact, bytes }) => !exact && bytes > 0)).toBe(true);
  } finally {
    await onServer(fresh.url, `drop owned by ${role}`);
    await onServer(fresh.url, `drop role ${role}`);
    await fresh.drop();
  }
});
