import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onServer } from "../../../../../../test/support/fresh-database.ts";
import { type FencedDatabase, openFenced } from "../../../../../../test/support/fenced-database.ts";
import { openSubject } from "../../../../../../test/support/postgres-subject.ts";
import { createAppRole } from "../app-role.ts";
import { driverOf, openDatabase } from "../database.ts";
import { checkFence } from "./fence.ts";
import { tenancyOf } from "./tenancy.ts";

let fenced: FencedDatabase;
beforeAll(async () => {
  fenced = await openFenced();
});
afterAll(() => fenced.close());

const check = () => tenancyOf(fenced.database).checkFence();

describe("the fence", () => {
  it("stands for the role that the command makes", async () => {
    expect(await check()).toEqual({ fenced: true, role: fenced.role, problems: [], warnings: [] });
  });

  it("the role may do nothing but what the service does", async () => {
    const run = (text: string): Promise<void> => onServer(fenced.roleUrl, text);
    for (const forbidden of [
      "drop table hango.agent_files",
      "alter table hango.agent_files no force row level security",
      "drop policy hango_namespace on hango.agent_files",
      "truncate hango.agent_files",
      "create table hango.mine (a int)",
      "update hango.audit_events set path = '/'",
      "delete from hango.migrations",
      "insert into hango.server_migrations values ('x', 'y')",
      "create role other",
      "set role postgres",
    ])
      await expect(run(forbidden), forbidden).rejects.toMatchObject({ code: expect.stringMatching(/^42501$|^42704$/) as string });
  });

  it("tables' rows of nobody show to a connection that binds nothing", async () => {
    const tenancy = tenancyOf(fenced.database);
    const { id } = await tenancy.createTenant({ name: "hidden" });
    await tenancy.createKey(id, { subject: "ann", role: "owner" });
    expect((await tenancy.listTenants({ limit: 9 })).map((row) => row.id)).toEqual([id]);
    for (const table of ["tenants", "agents", "api_keys", "sign_ins", "agent_sessions", "agent_files", "audit_events"])
      await onServer(fenced.roleUrl, `do $$ begin if exists (select from hango.${table}) then raise exception 'seen'; end if; end $$`);
  });

  it.each([
    ["alter role ROLE bypassrls", "alter role ROLE nobypassrls", /has BYPASSRLS/],
    ["alter table hango.api_keys no force row level security", "alter table hango.api_keys force row level security", /not forced on api_keys/],
    ["create table hango.later (tenant_id uuid)", "drop table hango.later", /No policy stands on later/],
    ["alter table hango.sign_ins owner to ROLE", "alter table hango.sign_ins owner to postgres", /owns sign_ins/],
    ["grant postgres to ROLE", "revoke postgres from ROLE", /may become a superuser/],
  ])("falls with: %s", async (breakIt, mendIt, problem) => {
    const run = (text: string): Promise<void> => onServer(fenced.url, text.replaceAll("ROLE", fenced.role));
    await run(breakIt);
    try {
      const report = await check();
      expect(report.fenced).toBe(false);
      expect(report.problems.join("\n")).toMatch(problem);
    } finally {
      await run(mendIt);
    }
    expect((await check()).fenced).toBe(true);
  });

  it("warns of a server that acknowledges before it is durable", async () => {
    const name = new URL(fenced.url).pathname.slice(1);
    await onServer(fenced.url, `alter database ${name} set synchronous_commit = off`);
    try {
      const database = await openDatabase(fenced.roleUrl, { server: true });
      expect(await tenancyOf(database).checkFence()).toMatchObject({ fenced: true, warnings: [expect.stringContaining("synchronous_commit")] });
      await database.close();
    } finally {
      await onServer(fenced.url, `alter database ${name} reset synchronous_commit`);
    }
  });

  it("is none for a superuser, and none in PGlite", async () => {
    const database = await openDatabase(fenced.url, { rowLevelSecurity: false, server: true });
    expect(await checkFence(driverOf(database))).toMatchObject({
      fenced: false,
      role: "postgres",
      problems: [expect.stringContaining("superuser"), expect.stringContaining("BYPASSRLS")],
    });
    await database.close();
    const pglite = await openSubject("pglite", { server: true });
    expect((await checkFence(pglite.driver)).problems[0]).toContain("PGlite has one role");
    await pglite.close();
  });
});

describe("the role", () => {
  it("is made once, and its rights are set again", async () => {
    expect(await createAppRole(fenced.url, { role: fenced.role })).toEqual({ role: fenced.role, created: false, mayLogIn: true });
    expect((await check()).fenced).toBe(true);
  });

  it("can't log in without a password given", async () => {
    const role = `${fenced.role}_2`;
    expect(await createAppRole(fenced.url, { role })).toEqual({ role, created: true, mayLogIn: false });
    await onServer(fenced.url, `drop owned by ${role}`);
    await onServer(fenced.url, `drop role ${role}`);
  });

  it.each([
    [{ role: "postgres" }, "forbidden"],
    [{ role: 'a"b' }, "invalid_argument"],
    [{ role: "pg_x" }, "invalid_argument"],
    [{ role: "x", shema: "hango" } as never, "invalid_argument"],
    [{ role: "hango_no_schema", schema: "elsewhere" }, "unavailable"],
  ])("is refused: %o", async (options, code) => {
    await expect(createAppRole(fenced.url, options)).rejects.toMatchObject({ code });
  });

  it("is refused for PGlite", async () => {
    await expect(createAppRole("pglite:", { role: "x" })).rejects.toMatchObject({ code: "unsupported" });
  });
});
