/** One table of engines for the tests of the SQL: a real Postgres whose default order is not that of bytes, and PGlite. */
import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { freshDatabase } from "./fresh-database.ts";
import type { Namespace, Storage } from "../../packages/hango/src/storage.ts";
import { type Database, driverOf, openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import type { Driver, Row, SqlValue } from "../../packages/hango/src/storages/postgres/driver/driver.ts";
import { type PostgresStorage, storageOver } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";

export type Engine = "postgres" | "pglite";
export const ENGINES: readonly Engine[] = ["postgres", "pglite"];

export interface Subject {
  readonly driver: Driver;
  readonly storage: PostgresStorage;
  /** A namespace that no other test uses. */
  readonly namespace: () => Namespace;
  /** Of the server, for a connection of one's own; "" where there is none. */
  readonly url: string;
  /** Plain SQL on the side, by the superuser. */
  readonly query: (text: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;
  readonly close: () => Promise<void>;
}

export interface SubjectOptions {
  readonly maxConnections?: number;
  /** Forces the portable tree lock. */
  readonly treeLock?: "row";
  /** With the tables of a server. */
  readonly server?: true;
}

export async function openSubject(engine: Engine, options: SubjectOptions = {}): Promise<Subject> {
  const fresh = engine === "postgres" ? await freshDatabase(inject("postgresUrl")) : undefined;
  const database: Database = await openDatabase(fresh?.url ?? "pglite:", {
    migrate: true,
    rowLevelSecurity: false,
    server: options.server === true,
    ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
  });
  const opened = driverOf(database);
  const driver: Driver = options.treeLock === undefined ? opened : { ...opened, capabilities: { ...opened.capabilities, treeLock: options.treeLock } };
  return {
    driver,
    storage: storageOver(driver),
    url: fresh?.url ?? "",
    namespace: () => ({ tenantId: randomUUID(), agentId: randomUUID() }),
    query: async (text, values = []) => (await driver.run([{ text, values }], { namespace: { tenantId: randomUUID(), agentId: randomUUID() } })).rows[0] ?? [],
    close: async () => {
      await database.close();
      await fresh?.drop();
    },
  };
}

/** A driver that loses each answer: the statements run, and run again with the same values, as after a lost acknowledgement. */
export function losingAnswers(driver: Driver): Driver {
  return {
    ...driver,
    run: async (statements, options) => {
      await driver.run(statements, options);
      return { ...(await driver.run(statements, options)), attempts: 2 };
    },
  };
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export async function textAt(storage: Storage, path: string): Promise<string> {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode((await storage.read(path)).bytes);
}
