import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../../../test/support/fresh-database.ts";
import { openDatabase } from "./database.ts";
import { postgresStorage } from "./postgres-storage.ts";
import { migrateDown, migrateUp, migrationStatus } from "./migrate.ts";

const names = ["001-files", "002-audit", "003-row-level-security"];
const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function freshUrl(): Promise<string> {
  const fresh = await freshDatabase(inject("postgresUrl"));
  cleanups.push(fresh.drop);
  return fresh.url;
}

function directoryUrl(): string {
  const base = mkdtempSync(join(tmpdir(), "hango-migrate-"));
  cleanups.push(() => rmSync(base, { recursive: true, force: true }));
  return `pglite:${join(base, "data")}`;
}

async function ask(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
const tables = async (url: string, schema = "hango"): Promise<readonly unknown[]> =>
  (await ask(url, `select tablename from pg_tables where schemaname = '${schema}' and tablename not like 'migrations%' order by tablename collate "C"`)).map(
    (row) => row["tablename"],
  );
const states = async (url: string): Promise<readonly boolean[]> =>
  (await migrationStatus(url)).filter(({ server }) => server !== true).map((state) => state.ranAt !== undefined);
const serverNames = ["server-001-tenancy"];

describe("migrations on Postgres", () => {
  it("go up, down step by step, and up again", async () => {
    const url = await freshUrl();
    expect(await states(url)).toEqual([false, false, false]);
    expect(await migrateUp(url)).toEqual(names);
    expect(await migrateUp(url)).toEqual([]);
    expect(await tables(url)).toEqual(["agent_files", "agent_trees", "agent_usage", "audit_events"]);
    expect(await migrateDown(url)).toEqual(["003-row-level-security"]);
    expect(await ask(url, "select count(*)::int as n from pg_policies where schemaname = 'hango'")).toEqual([{ n: 0 }]);
    expect(await states(url)).toEqual([true, true, false]);
    expect(await migrateDown(url, { steps: 5 })).toEqual(["002-audit", "001-files"]);
    expect(await tables(url)).toEqual([]);
    expect(await migrateUp(url)).toEqual(names);
    expect((await migrationStatus(url)).map((state) => state.name)).toEqual([...names, ...serverNames]);
  });

  it("run once when many migrators start at the same time", async () => {
    const url = await freshUrl();
    const results = await Promise.all(Array.from({ length: 6 }, () => migrateUp(url)));
    expect(results.flat()).toEqual(names);
    expect(await tables(url)).toHaveLength(4);
  });

  it("live in the schema that was asked for, beside another one", async () => {
    const url = await freshUrl();
    await migrateUp(url);
    await migrateUp(url, { schema: "second" });
    expect(await tables(url, "second")).toHaveLength(4);
    await migrateDown(url, { steps: 3 });
    expect(await tables(url, "second")).toHaveLength(4);
    expect(await ask(url, "select count(*)::int as n from pg_tables where schemaname = 'public'")).toEqual([{ n: 0 }]);
    await (await openDatabase(url, { schema: "second" })).close();
  });

  it("are named, with the command and without the password, when a database is opened without them", async () => {
    const url = (await freshUrl()).replace("postgres@", "postgres:s3cret@");
    const error = (await openDatabase(url).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(/npx hango migrate up --db postgres:\/\/postgres@127/) });
    expect(error.message).not.toContain("s3cret");
    await migrateUp(url);
    await migrateDown(url);
    await expect(openDatabase(url)).rejects.toThrow("003-row-level-security");
    await (await openDatabase(url, { migrate: true })).close();
  });

  it("put the rules into the table: one content, its true size, an absolute path, byte order whatever the locale", async () => {
    const url = await freshUrl();
    await migrateUp(url);
    const insert = (path: string, content: string, size: number): string =>
      `insert into hango.agent_files (id, tenant_id, agent_id, path, content, content_bytes, size_bytes, content_type) values (gen_random_uuid(), '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', ${path}, ${content}, ${size}, 'text/plain')`;
    await ask(url, insert("'/é'", "'é😀', null", 6));
    await ask(url, insert("'/b'", "null, '\\x00ff'", 2));
    await ask(url, insert("'/B'", "'', null", 0));
    await expect(ask(url, insert("'/x'", "'é😀', null", 2))).rejects.toMatchObject({ code: "23514", constraint: "true_size" });
    await expect(ask(url, insert("'/x'", "'a', '\\x61'", 1))).rejects.toMatchObject({ code: "23514", constraint: "one_content" });
    await expect(ask(url, insert("'/x'", "null, null", 0))).rejects.toMatchObject({ code: "23514", constraint: "one_content" });
    await expect(ask(url, insert("'x'", "'a', null", 1))).rejects.toMatchObject({ code: "23514", constraint: "absolute_path" });
    await ask(url, insert(`'/' || repeat('a', 512)`, "'a', null", 1));
    await expect(ask(url, insert(`'/' || repeat('a', 513)`, "'a', null", 1))).rejects.toMatchObject({ code: "23514", constraint: "absolute_path" });
    expect((await ask(url, "select path from hango.agent_files where length(path) < 5 order by path")).map((row) => row["path"])).toEqual(["/B", "/b", "/é"]);
  });

  it("of a server run when asked for, beside the others; they adopt who has files, and go down first", async () => {
    const url = await freshUrl();
    const [tenantId, agentId] = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"];
    const database = await openDatabase(url, { migrate: true, rowLevelSecurity: false });
    await postgresStorage(database).scope({ tenantId, agentId }).write("a", new Uint8Array(3));
    expect(await migrateUp(url)).toEqual([]);
    await expect(openDatabase(url, { server: true, rowLevelSecurity: false })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("npx hango migrate up --server --db postgres:"),
    });
    expect((await Promise.all(Array.from({ length: 3 }, () => migrateUp(url, { server: true })))).flat()).toEqual(serverNames);
    expect((await tables(url)).join(" ")).toBe(
      "agent_files agent_sessions agent_trees agent_usage agents api_keys audit_events server_migrations server_migrations_lock sign_ins tenants",
    );
    expect(await ask(url, "select tenant_id, agent_id, name, created_by from hango.agents")).toEqual([
      { tenant_id: tenantId, agent_id: agentId, name: agentId, created_by: "hango" },
    ]);
    expect(await ask(url, "select tenant_id, name from hango.tenants")).toEqual([{ tenant_id: tenantId, name: tenantId }]);
    await postgresStorage(database).scope({ tenantId, agentId }).write("b", new Uint8Array(3));
    const unfenced =
      "select relname from pg_class where relnamespace = 'hango'::regnamespace and relkind = 'r' and not (relrowsecurity and relforcerowsecurity) and relname not like '%migrations%'";
    expect(await ask(url, unfenced)).toEqual([]);
    expect(await migrateUp(url)).toEqual([]);
    expect((await migrationStatus(url)).at(-1)).toMatchObject({ name: "server-001-tenancy", server: true, ranAt: expect.any(Date) as Date });
    await ask(url, "update hango.server_migrations set name = 'server-000-older'");
    await expect(openDatabase(url, { server: true, rowLevelSecurity: false })).rejects.toMatchObject({ code: "unavailable" });
    await ask(url, "update hango.server_migrations set name = 'server-001-tenancy'");
    expect(await migrateDown(url)).toEqual(serverNames);
    await postgresStorage(database).scope({ tenantId, agentId: tenantId }).write("c", new Uint8Array(3));
    expect(await migrateUp(url, { server: true })).toEqual(serverNames);
    expect(await ask(url, "select count(*)::int as n from hango.agents")).toEqual([{ n: 2 }]);
    await database.close();
    expect(await migrateDown(url, { steps: 9 })).toEqual([...serverNames, ...names.toReversed()]);
  });

  it("force the policy on every table that carries a tenant", async () => {
    const url = await freshUrl();
    await migrateUp(url);
    const rows = await ask(
      url,
      "select c.relname, c.relrowsecurity and c.relforcerowsecurity as fenced, (select count(*)::int from pg_policies p where p.schemaname = 'hango' and p.tablename = c.relname) as policies from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' where c.relkind = 'r' and c.relnamespace = 'hango'::regnamespace",
    );
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).toMatchObject({ fenced: true, policies: 1 });
  });

  it("say which role is needed when this one may not create tables", async () => {
    const url = await freshUrl();
    const role = `hango_nobody_${Date.now()}`;
    await ask(url, `create role ${role} login`);
    cleanups.push(async () => void (await ask(inject("postgresUrl"), `drop role ${role}`)));
    await expect(migrateUp(url.replace("postgres@", `${role}@`))).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("migrations on PGlite", () => {
  it("run when a directory is opened, go down, and up again", async () => {
    const url = directoryUrl();
    expect(await states(url)).toEqual([true, true, true]);
    expect(await migrateDown(url, { steps: 3 })).toEqual([...names].reverse());
    await expect(openDatabase(url, { migrate: false })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("npx hango migrate up --db pglite:"),
    });
    await expect(openDatabase(url, { migrate: false, schema: "other" })).rejects.toThrow(/--schema other$/);
    await (await openDatabase(url)).close();
  });
});

describe("an option of the migrations that is not one", () => {
  // Nobody listens there: what connects answers unavailable.
  const url = "postgres://127.0.0.1:1/d";

  it.each([
    [{ shema: "staging" }, 'no option "shema"'],
    [null, "must be an object"],
  ])("is refused before anything connects, where %o undid the default schema", async (options, message) => {
    const refused = { code: "invalid_argument", message: expect.stringContaining(message) as string };
    for (const call of [migrateUp, migrateDown, migrationStatus]) await expect(call(url, options as object)).rejects.toMatchObject(refused);
  });

  it.each([0, 1.5, Number.NaN, null, "3"])("is refused as steps: %s", async (steps) => {
    await expect(migrateDown(url, { steps: steps as number })).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("is refused as a pool where there are no connections", async () => {
    await expect(migrateUp("pglite:", { pool: {} })).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
