/** The second fence: a statement without its WHERE still sees the bound namespace only, and nothing when none is bound. */
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { NAMESPACE_TABLES, POLICY } from "./tables.ts";

async function up(db: Kysely<unknown>, schema: string): Promise<void> {
  // After a transaction-local setting the value is '', not null: without nullif the next query would fail to cast it.
  const mine = sql`tenant_id = nullif(current_setting('hango.tenant_id', true), '')::uuid and agent_id = nullif(current_setting('hango.agent_id', true), '')::uuid`;
  for (const table of NAMESPACE_TABLES) {
    const name = sql.id(schema, table);
    await sql`alter table ${name} enable row level security`.execute(db);
    // Without FORCE the tables' owner would pass the policies by.
    await sql`alter table ${name} force row level security`.execute(db);
    await sql`create policy ${sql.id(POLICY)} on ${name} using (${mine}) with check (${mine})`.execute(db);
  }
}

async function down(db: Kysely<unknown>, schema: string): Promise<void> {
  for (const table of NAMESPACE_TABLES) {
    const name = sql.id(schema, table);
    await sql`drop policy ${sql.id(POLICY)} on ${name}`.execute(db);
    await sql`alter table ${name} no force row level security`.execute(db);
    await sql`alter table ${name} disable row level security`.execute(db);
  }
}

export function rowLevelSecurityMigration(schema: string): Migration {
  return { up: (db: Kysely<unknown>) => up(db, schema), down: (db: Kysely<unknown>) => down(db, schema) };
}
