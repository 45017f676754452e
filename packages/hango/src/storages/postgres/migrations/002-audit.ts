/** The record: who changed what and when, never content. Also the source of "recent changes". */
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

async function up(db: Kysely<unknown>, schema: string): Promise<void> {
  await sql`create table ${sql.id(schema, "audit_events")} (
    tenant_id uuid not null,
    id uuid not null,
    agent_id uuid not null,
    action text not null,
    outcome text not null,
    path text collate "C" not null,
    version text,
    previous_version text,
    size_bytes integer,
    actor text not null,
    principal text,
    session_id text,
    tool text,
    tool_call_id text,
    reason text,
    at timestamptz not null default now(),
    primary key (tenant_id, id)
  )`.execute(db);
  // Ids are uuid v7, so this is an agent's events by time.
  await sql`create index audit_events_by_agent on ${sql.id(schema, "audit_events")} (tenant_id, agent_id, id)`.execute(db);
}

async function down(db: Kysely<unknown>, schema: string): Promise<void> {
  await sql`drop table ${sql.id(schema, "audit_events")}`.execute(db);
}

export function auditMigration(schema: string): Migration {
  return { up: (db: Kysely<unknown>) => up(db, schema), down: (db: Kysely<unknown>) => down(db, schema) };
}
