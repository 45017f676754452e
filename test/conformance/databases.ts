/** The two databases a spanning test runs on, opened once for its file. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { openDatabase, postgresStorage, type Database, type PostgresStorage } from "hango/postgres";
import type { Storage } from "hango";
import { freshDatabase, type FreshDatabase } from "../support/fresh-database.ts";

export interface Opened {
  readonly storage: () => PostgresStorage;
  /** A new, empty tree. */
  readonly tree: () => Storage;
}

function opened(open: () => Promise<Database>, done: () => Promise<void>): Opened {
  let database: Database | undefined;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(async () => {
    await database?.close();
    await done();
  });
  const storage = (): PostgresStorage => {
    if (database === undefined) throw new Error("the database opens in beforeAll");
    return postgresStorage(database);
  };
  return { storage, tree: () => storage().scope({ tenantId: randomUUID(), agentId: randomUUID() }) };
}

export function openPglite(): Opened {
  return opened(
    () => openDatabase("pglite:"),
    async () => undefined,
  );
}

/** Real Postgres, in a database whose collation is en-US, as a superuser and so without row-level security. */
export function openPostgres(): Opened {
  let fresh: FreshDatabase | undefined;
  return opened(
    async () => {
      fresh = await freshDatabase(inject("postgresUrl"));
      return openDatabase(fresh.url, { migrate: true, rowLevelSecurity: false });
    },
    async () => fresh?.drop(),
  );
}
