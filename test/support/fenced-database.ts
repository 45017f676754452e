/** A server's database opened as the role that a service runs as: it owns nothing, and row-level security holds for it. */
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { createAppRole } from "../../packages/hango/src/storages/postgres/app-role.ts";
import { type Database, openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import { migrateUp } from "../../packages/hango/src/storages/postgres/migrate.ts";
import { freshDatabase, onServer } from "./fresh-database.ts";

export interface FencedDatabase {
  readonly database: Database;
  /** The superuser's URL, and the role's. */
  readonly url: string;
  readonly roleUrl: string;
  readonly role: string;
  readonly close: () => Promise<void>;
}

/** Migrates, makes the role as the command does, and opens the database as it. */
export async function openFenced(): Promise<FencedDatabase> {
  const role = `hango_test_${randomBytes(6).toString("hex")}`;
  const fresh = await freshDatabase(inject("postgresUrl"));
  await migrateUp(fresh.url, { server: true });
  await createAppRole(fresh.url, { role, password: 'it\'s 100% "secret"' });
  const roleUrl = new URL(fresh.url);
  roleUrl.username = role;
  const database = await openDatabase(roleUrl.href, { rowLevelSecurity: true, server: true });
  return {
    database,
    url: fresh.url,
    roleUrl: roleUrl.href,
    role,
    close: async () => {
      await database.close();
      await fresh.drop();
      await onServer(inject("postgresUrl"), `drop role if exists ${role}`);
    },
  };
}
