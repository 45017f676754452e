import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { packTar } from "modern-tar";
import { type FreshDatabase, freshDatabase, onServer } from "../../../../test/support/fresh-database.ts";
import { ensureBuilt, type Ran, type RunOptions, runHango } from "../built.test-support.ts";

let fresh: FreshDatabase;
const role = `hango_app_${Date.now()}`;
const hango = (args: readonly string[], options: RunOptions = {}): Promise<Ran> => runHango(args, { ...options, env: { HANGO_DB: fresh.url, ...options.env } });
const json = async (args: readonly string[]): Promise<unknown> => JSON.parse((await hango([...args, "--json"])).stdout);

beforeAll(async () => {
  fresh = await freshDatabase(inject("postgresUrl"));
  await ensureBuilt();
}, 300_000);
afterAll(async () => {
  await fresh.drop();
  await onServer(inject("postgresUrl"), `drop role if exists ${role}`);
});

describe("the commands for a server's tenants, the built binary", { timeout: 240_000 }, () => {
  it("say the command that makes the tables, which also makes the role that owns nothing", async () => {
    await hango(["migrate", "up"]);
    expect(await hango(["tenant", "list"])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("npx hango migrate up --server --db postgres:") as string,
    });
    const up = await hango(["migrate", "up", "--server", "--app-role", role]);
    expect(up).toMatchObject({ code: 0, stderr: "" });
    expect(up.stdout).toBe(
      `ran server-001-tenancy\nmade the role ${role}\nIt can't log in yet: alter role ${role} login password '…', or run this again with HANGO_APP_ROLE_PASSWORD.\n`,
    );
    const again = await hango(["migrate", "up", "--server", "--app-role", role], { env: { HANGO_APP_ROLE_PASSWORD: "it's secret" } });
    expect(again.stdout).toBe(`Nothing to do: every migration has run.\nset the rights of the role ${role}\n`);
    expect((await hango(["migrate", "up", "--app-role", "postgres"])).code).toBe(1);
    expect((await hango(["migrate", "status"])).stdout).toMatch(/^server-001-tenancy +ran 20/m);
  });

  it("make a tenant, an agent, a session and a key by name; the names work for the files too, also as the role", async () => {
    const env = { HANGO_DB: fresh.url.replace("postgres@", `${role}@`) };
    expect(await hango(["tenant", "create", "acme"], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^created tenant acme \([0-9a-f-]{36}\)\n$/) as string,
    });
    expect((await hango(["tenant", "create", "acme"])).code).toBe(4);
    expect((await hango(["agent", "create", "bot", "--tenant", "acme", "--created-by", "ann"], { env })).stdout).toMatch(/^created agent bot /);
    expect((await hango(["session", "create", "monday", "--tenant", "acme", "--agent", "bot", "--created-by", "ann"], { env })).stdout).toMatch(
      /^created session monday /,
    );
    const key = await hango(["key", "create", "--tenant", "acme", "--subject", "ann", "--role", "owner", "--expires-in", "30d"], { env });
    expect(key).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^hango_[0-9a-f]{32}_[\w-]{43}\n$/) as string,
      stderr: expect.stringContaining("shown once") as string,
    });
    expect((await hango(["write", "/a", "--tenant", "acme", "--agent", "bot"], { input: "one\n", env })).code).toBe(0);
    expect((await hango(["write", "/a", "--tenant", "acme", "--agent", "nobody"], { input: "one\n" })).stderr).toMatch(/not registered.*hango agent create/);
    expect(await json(["agent", "list", "--tenant", "acme"])).toMatchObject([{ name: "bot", createdBy: "ann" }]);
    expect(await json(["session", "list", "--tenant", "acme", "--agent", "bot"])).toMatchObject([{ name: "monday", createdBy: "ann" }]);
    expect((await hango(["tenant", "list"], { env })).stdout).toMatch(/^[0-9a-f-]{36} {2}20\S+ {2}acme\n$/);
    expect((await hango(["tenant", "quota", "acme", "--max-bytes", "10MB"])).stdout).toBe("files    1, no limit\nsize     4 bytes, at most 10 MB\n");
  });

  it("hold a tenant's quota at this door too: with “--max-files 1”, two writes of the command line succeeded", async () => {
    const at = ["--tenant", "acme", "--agent", "bot"];
    await hango(["tenant", "quota", "acme", "--max-files", "1"]);
    expect(await hango(["write", "/b", ...at], { input: "two\n" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("/b was not written: it would exceed the quota of the whole tenant (1 of 1 files in use") as string,
    });
    const archive = await packTar([{ header: { name: "c", size: 1, type: "file" }, body: "c" }]);
    expect(await hango(["import", "-", ...at], { input: archive })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("/c was not written: it would exceed the quota of the whole tenant") as string,
    });
    await hango(["tenant", "quota", "acme", "--max-bytes", "4"]);
    expect((await hango(["edit", "/a", "one", "three", ...at])).stderr).toContain("4 of 4 bytes in use");
    expect((await hango(["edit", "/a", "one", "two", ...at])).code).toBe(0);
    expect((await hango(["ls", "/", ...at])).stdout).not.toMatch(/[bc]/);
    await hango(["tenant", "quota", "acme", "--none"]);
  });

  it("list and revoke keys without ever showing one again", async () => {
    const [listed] = (await json(["key", "list", "--tenant", "acme"])) as readonly { readonly id: string; readonly prefix: string }[];
    expect(Object.keys(listed ?? {}).toSorted()).toEqual(["createdAt", "expiresAt", "id", "prefix", "role", "subject"]);
    expect((await hango(["key", "list", "--tenant", "acme"])).stdout).toMatch(/ {2}owner {2}opens until 20\S+ {2}ann\n$/);
    expect((await hango(["key", "revoke", listed?.id ?? "", "--tenant", "acme"])).stdout).toBe(`revoked ${listed?.prefix}… of ann\n`);
    expect((await hango(["key", "list", "--tenant", "acme"])).stdout).toMatch(/revoked 20/);
    expect((await hango(["key", "revoke", listed?.id ?? "", "--tenant", "other"])).code).toBe(3);
    expect((await hango(["key", "create", "--tenant", "acme", "--subject", "x", "--role", "root"])).code).toBe(2);
  });

  it("delete only after a yes, and everything below goes along", async () => {
    expect(await hango(["agent", "delete", "bot", "--tenant", "acme"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("every file, session") as string,
    });
    expect((await hango(["session", "delete", "monday", "--tenant", "acme", "--agent", "bot"])).stdout).toBe("deleted session monday\n");
    expect((await hango(["session", "delete", "monday", "--tenant", "acme", "--agent", "bot"])).code).toBe(3);
    expect((await hango(["agent", "delete", "bot", "--tenant", "acme", "--yes"])).stdout).toBe("deleted agent bot: 1 file of 4 bytes\n");
    expect((await hango(["tenant", "delete", "acme", "--yes"])).stdout).toBe("deleted tenant acme: 0 agents, 0 files of 0 bytes\n");
    expect((await hango(["tenant", "delete", "acme", "--yes"])).code).toBe(3);
    expect(await json(["tenant", "list"])).toEqual([]);
  });

  it("stand beside the run: any other word is a task, which wants a model", async () => {
    expect(await hango(["agent", "list", "--tenant", "acme", "--max-steps", "3"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown option '--max-steps'") as string,
    });
    const help = await hango(["agent", "--help"]);
    expect(help.stdout).toMatch(/create .*\n[^]*list .*\n[^]*delete /);
    const run = await hango(["agent", "list the files", "--dir", "packages/cli/bin"]);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toMatch(/model/);
  });
});
