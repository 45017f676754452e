/** The two databases a spanning test runs on, opened once for its file. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { openDatabase, postgresStorage, type Database, type PostgresStorage } from "hango/postgres";
import type { Storage } from "hango";
import { freshDatabase, onServer, type FreshDatabase } from "../support/fresh-database.ts";

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

/** The same as an ordinary role, which owns nothing: every statement runs behind row-level security. */
export function openFencedPostgres(): Opened {
  const role = `hango_test_${randomBytes(6).toString("hex")}`;
  let fresh: FreshDatabase | undefined;
  return opened(
    async () => {
      fresh = await freshDatabase(inject("postgresUrl"));
      await (await openDatabase(fresh.url, { migrate: true, rowLevelSecurity: false })).close();
      await onServer(
        fresh.url,
        `create role ${role} login; grant usage on schema hango to ${role}; grant select, insert, update, delete on all tables in schema hango to ${role}`,
      );
      const url = new URL(fresh.url);
      url.username = role;
      return openDatabase(url.href, { rowLevelSecurity: true });
    },
    async () => {
      await fresh?.drop();
      await onServer(inject("postgresUrl"), `drop role if exists ${role}`);
    },
  );
}
