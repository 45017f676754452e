/** Files, what a namespace uses of its quota, and the row that serialises creates where advisory locks are missing. */
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

async function up(db: Kysely<unknown>, schema: string): Promise<void> {
  const name = (table: string): ReturnType<typeof sql.id> => sql.id(schema, table);
  // The path's order is that of its bytes, whatever the database's locale. Every key starts with tenant_id, so the tables can be distributed by it.
  await sql`create table ${name("agent_files")} (
    id uuid not null,
    tenant_id uuid not null,
    agent_id uuid not null,
    path text collate "C" not null,
    content text,
    content_bytes bytea,
    size_bytes integer not null,
    content_type text not null,
    version integer not null default 1,
    last_op uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, agent_id, path),
    constraint one_content check ((content is null) <> (content_bytes is null)),
    constraint true_size check (size_bytes = coalesce(octet_length(content), octet_length(content_bytes))),
    constraint absolute_path check (left(path, 1) = '/' and octet_length(path) between 2 and 513)
  )`.execute(db);
  await compressWithLz4(db, schema);
  await sql`create table ${name("agent_usage")} (
    tenant_id uuid not null,
    agent_id uuid not null,
    files bigint not null default 0,
    bytes bigint not null default 0,
    max_files bigint,
    max_bytes bigint,
    primary key (tenant_id, agent_id),
    constraint quota_files check (files <= max_files),
    constraint quota_bytes check (bytes <= max_bytes)
  )`.execute(db);
  await sql`create table ${name("agent_trees")} (
    tenant_id uuid not null,
    agent_id uuid not null,
    primary key (tenant_id, agent_id)
  )`.execute(db);
}

/** LZ4 decompresses about twice as fast as the default, and grep does little else; a server built without it keeps the default. */
async function compressWithLz4(db: Kysely<unknown>, schema: string): Promise<void> {
  const found = await sql<{
    lz4: boolean | null;
  }>`select 'lz4' = any(enumvals) as lz4 from pg_catalog.pg_settings where name = 'default_toast_compression'`.execute(db);
  if (found.rows[0]?.lz4 !== true) return;
  await sql`alter table ${sql.id(schema, "agent_files")} alter column content set compression lz4, alter column content_bytes set compression lz4`.execute(db);
}

async function down(db: Kysely<unknown>, schema: string): Promise<void> {
  for (const table of ["agent_trees", "agent_usage", "agent_files"]) await sql`drop table ${sql.id(schema, table)}`.execute(db);
}

export function filesMigration(schema: string): Migration {
  return { up: (db: Kysely<unknown>) => up(db, schema), down: (db: Kysely<unknown>) => down(db, schema) };
}
