import pg from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "./fresh-database.ts";
import { startPostgres } from "./postgres-server.ts";

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

describe("the shared Postgres of the tests", () => {
  const databases: { drop: () => Promise<void> }[] = [];
  afterAll(async () => {
    for (const database of databases) await database.drop();
  });

  it("gives each file a database whose default order is not that of bytes", async () => {
    const database = await freshDatabase(inject("postgresUrl"));
    databases.push(database);
    expect(await ask(database.url, `select 'a' < 'B' as locale_order, 'a' collate "C" < 'B' as byte_order`)).toEqual([
      { locale_order: true, byte_order: false },
    ]);
  });

  it("keeps two databases apart", async () => {
    const [one, two] = [await freshDatabase(inject("postgresUrl")), await freshDatabase(inject("postgresUrl"), { locale: "C" })];
    databases.push(one, two);
    await ask(one.url, "create table t()");
    expect(await ask(two.url, "select to_regclass('t') as t")).toEqual([{ t: null }]);
  });
});

it("a server of one's own keeps acknowledged rows over kill -9 and restart", async () => {
  const server = await startPostgres();
  try {
    await ask(server.url, "create table t as select 1 as n");
    await server.kill();
    await expect(ask(server.url, "select 1")).rejects.toThrow();
    await server.restart();
    expect(await ask(server.url, "select n from t")).toEqual([{ n: 1 }]);
  } finally {
    await server.stop();
  }
});
