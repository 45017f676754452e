/** What a server knows beside the files: tenants, agents, their sessions and keys. Whoever keeps these elsewhere never runs it. */
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { NAMESPACE_TABLES, TENANCY_TABLES, TENANT_POLICY } from "./tables.ts";

/** Every key starts with tenant_id. What belongs to a tenant or an agent goes with it. */
async function up(db: Kysely<unknown>, schema: string): Promise<void> {
  const name = (table: string): ReturnType<typeof sql.id> => sql.id(schema, table);
  await sql`create table ${name("tenants")} (
    tenant_id uuid primary key,
    name text collate "C" not null,
    max_files bigint,
    max_bytes bigint,
    created_at timestamptz not null default now()
  )`.execute(db);
  await sql`create table ${name("agents")} (
    tenant_id uuid not null references ${name("tenants")} (tenant_id) on delete cascade,
    agent_id uuid not null,
    name text collate "C" not null,
    created_by text collate "C" not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, agent_id)
  )`.execute(db);
  await sql`create index agents_by_creator on ${name("agents")} (tenant_id, created_by, agent_id)`.execute(db);
  await sql`create table ${name("agent_sessions")} (
    tenant_id uuid not null,
    agent_id uuid not null,
    session_id uuid not null,
    name text,
    created_by text collate "C" not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, agent_id, session_id),
    foreign key (tenant_id, agent_id) references ${name("agents")} (tenant_id, agent_id) on delete cascade
  )`.execute(db);
  await sql`create table ${name("api_keys")} (
    tenant_id uuid not null references ${name("tenants")} (tenant_id) on delete cascade,
    key_id uuid not null,
    hash text not null,
    prefix text not null,
    subject text not null,
    role text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    primary key (tenant_id, key_id),
    unique (tenant_id, hash),
    constraint known_role check (role in ('owner', 'admin', 'member'))
  )`.execute(db);
  await sql`create table ${name("sign_ins")} (
    tenant_id uuid not null,
    hash text not null,
    key_id uuid not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (tenant_id, hash),
    foreign key (tenant_id, key_id) references ${name("api_keys")} (tenant_id, key_id) on delete cascade
  )`.execute(db);
  await sql`create index sign_ins_by_key on ${name("sign_ins")} (tenant_id, key_id)`.execute(db);
  await fence(db, schema);
  await adopt(db, schema);
  for (const table of NAMESPACE_TABLES)
    await sql`alter table ${name(table)} add constraint ${sql.id(foreignKey(table))} foreign key (tenant_id, agent_id) references ${name("agents")} (tenant_id, agent_id) on delete cascade`.execute(
      db,
    );
}

/** PostgreSQL would name it so itself, but another engine otherwise; undoing needs the name. */
function foreignKey(table: string): string {
  return `${table}_agent_fkey`;
}

const TENANT = sql`nullif(current_setting('hango.tenant_id', true), '')::uuid`;
/** The record and the counts of a whole tenant are read with a tenant bound and no agent. */
const WHOLE_TENANT = sql`tenant_id = ${TENANT} and nullif(current_setting('hango.agent_id', true), '') is null`;

async function fence(db: Kysely<unknown>, schema: string): Promise<void> {
  for (const table of TENANCY_TABLES) {
    const name = sql.id(schema, table);
    await sql`alter table ${name} enable row level security`.execute(db);
    await sql`alter table ${name} force row level security`.execute(db);
    await sql`create policy ${sql.id(TENANT_POLICY)} on ${name} using (tenant_id = ${TENANT}) with check (tenant_id = ${TENANT})`.execute(db);
  }
  // The one statement that lists tenants says so first, and sees their names and nothing that is theirs.
  await sql`create policy hango_every_tenant on ${sql.id(schema, "tenants")} for select using (current_setting('hango.every_tenant', true) = 'on')`.execute(db);
  await sql`create policy hango_tenant_read on ${sql.id(schema, "audit_events")} for select using (${WHOLE_TENANT})`.execute(db);
  await sql`create policy hango_tenant_prune on ${sql.id(schema, "audit_events")} for delete using (${WHOLE_TENANT})`.execute(db);
  await sql`create policy hango_tenant_read on ${sql.id(schema, "agent_usage")} for select using (${WHOLE_TENANT})`.execute(db);
}

/** Who has rows already gets a tenant and an agent, named by their ids: the foreign keys must hold for them. */
async function adopt(db: Kysely<unknown>, schema: string): Promise<void> {
  const touched = [...NAMESPACE_TABLES, ...TENANCY_TABLES].map((table) => sql.id(schema, table));
  // FORCE holds for the tables' owner too, who runs this and must see every row; nobody else sees them unforced.
  for (const table of touched) await sql`alter table ${table} no force row level security`.execute(db);
  const namespaces = sql.join(
    NAMESPACE_TABLES.map((table) => sql`select tenant_id, agent_id from ${sql.id(schema, table)}`),
    sql` union `,
  );
  await sql`insert into ${sql.id(schema, "tenants")} (tenant_id, name) select distinct tenant_id, tenant_id::text from (${namespaces}) n`.execute(db);
  await sql`insert into ${sql.id(schema, "agents")} (tenant_id, agent_id, name, created_by) select tenant_id, agent_id, agent_id::text, 'hango' from (${namespaces}) n`.execute(
    db,
  );
  for (const table of touched) await sql`alter table ${table} force row level security`.execute(db);
}

async function down(db: Kysely<unknown>, schema: string): Promise<void> {
  for (const table of NAMESPACE_TABLES) await sql`alter table ${sql.id(schema, table)} drop constraint ${sql.id(foreignKey(table))}`.execute(db);
  for (const [policy, table] of [
    ["hango_tenant_read", "audit_events"],
    ["hango_tenant_prune", "audit_events"],
    ["hango_tenant_read", "agent_usage"],
  ] as const)
    await sql`drop policy ${sql.id(policy)} on ${sql.id(schema, table)}`.execute(db);
  for (const table of TENANCY_TABLES.toReversed()) await sql`drop table ${sql.id(schema, table)}`.execute(db);
}

export function tenancyMigration(schema: string): Migration {
  return { up: (db: Kysely<unknown>) => up(db, schema), down: (db: Kysely<unknown>) => down(db, schema) };
}
