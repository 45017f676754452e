import { openDatabase, postgresStorage, type Tenancy, tenancyOf } from "hango/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../../../test/support/fresh-database.ts";
import { firstStart, type FirstStart } from "./first-start.ts";

const SERVERS = 4;

describe("servers that start at once on an empty Postgres", () => {
  let server: FreshDatabase;
  let databases: readonly Awaited<ReturnType<typeof openDatabase>>[] = [];
  beforeAll(async () => {
    server = await freshDatabase(inject("postgresUrl"));
    const open = (): ReturnType<typeof openDatabase> => openDatabase(server.url, { server: true, migrate: true, rowLevelSecurity: false });
    const first = await open();
    databases = [first, ...(await Promise.all(Array.from({ length: SERVERS - 1 }, open)))];
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await server?.drop();
  });

  const start = (database: (typeof databases)[number], seen: (tenancy: Tenancy) => Tenancy = (tenancy) => tenancy): Promise<FirstStart | undefined> =>
    firstStart({ tenancy: seen(tenancyOf(database)), storage: postgresStorage(database), hasOtherSignIn: false });

  it("show one owner's key between them: both printed one, and each was an owner", async () => {
    // Each has looked and found no key before any makes one.
    let looked = 0;
    const all = Promise.withResolvers<void>();
    const gate = (tenancy: Tenancy): Tenancy => ({
      ...tenancy,
      createKey: async (tenantId, key) => {
        if (++looked === SERVERS) all.resolve();
        await all.promise;
        return tenancy.createKey(tenantId, key);
      },
    });
    const made = (await Promise.all(databases.map((database) => start(database, gate)))).filter((one) => one !== undefined);
    expect(made).toHaveLength(1);
    const [{ tenantId, key } = { tenantId: "", key: "" }] = made;
    const [database] = databases;
    if (database === undefined) throw new Error("no database");
    const tenancy = tenancyOf(database);
    expect((await tenancy.listKeys(tenantId, { limit: 10 })).map(({ role }) => role)).toEqual(["owner"]);
    expect(await tenancy.authenticate(key)).toMatchObject({ tenantId, role: "owner" });
    expect(await start(database)).toBeUndefined();
    // Not even when the key was taken back: nobody is let in by starting a server.
    const [row] = await tenancy.listKeys(tenantId, { limit: 1 });
    await tenancy.revokeKey(tenantId, row?.id ?? "");
    expect(await start(database)).toBeUndefined();
  });
});
