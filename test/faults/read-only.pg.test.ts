import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Database, driverOf, openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { type FreshDatabase, freshDatabase, onServer } from "../support/fresh-database.ts";
import { stateFaults } from "./audit-check.ts";
import { contents, FILES, fillTree, OPERATIONS } from "./operations.ts";
import { outcomeOf } from "./outcome.ts";

const namespace = { tenantId: randomUUID(), agentId: randomUUID() };

describe("a database that takes no writes", () => {
  let fresh: FreshDatabase;
  let readOnly: Database;
  beforeAll(async () => {
    fresh = await freshDatabase(inject("postgresUrl"));
    const writable = await openDatabase(fresh.url, { migrate: true, rowLevelSecurity: false });
    await fillTree(postgresStorage(writable).scope(namespace));
    await writable.close();
    await onServer(inject("postgresUrl"), `alter database ${new URL(fresh.url).pathname.slice(1)} set default_transaction_read_only = on`);
    readOnly = await openDatabase(fresh.url, { rowLevelSecurity: false });
  });
  afterAll(async () => {
    await readOnly.close();
    await fresh.drop();
  });

  it("opens, also when migrations are asked for and none is missing", async () => {
    await (await openDatabase(fresh.url, { migrate: true, rowLevelSecurity: false })).close();
  });

  it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))("answers as it should for %s", async (_, operation) => {
    const outcome = await outcomeOf(operation, postgresStorage(readOnly).scope(namespace));
    expect(outcome.faults).toEqual([]);
    const records = operation.name === "record" || operation.refused !== undefined;
    if (operation.reads === true && !records) expect(outcome.answer).toBe("ok");
    // A refusal that can't be recorded is no refusal that counts.
    else
      expect([outcome.answer, outcome.code ?? ""]).toEqual(
        operation.name.startsWith("offload") ? ["not saved", ""] : ["failed", records ? "unavailable" : "read_only"],
      );
  });

  it("is as it was afterwards", async () => {
    const storage = postgresStorage(readOnly).scope(namespace);
    expect(await contents(storage)).toEqual(FILES);
    expect(await stateFaults(async (text) => (await driverOf(readOnly).run([{ text, values: [] }], { namespace })).rows[0] ?? [])).toEqual([]);
  });
});
