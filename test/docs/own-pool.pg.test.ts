import { uuidFor } from "hango";
import { postgresStorage } from "hango/postgres";
import { expect, it } from "vitest";
import { openOnPool } from "../../examples/own-pool.ts";
import { openFenced } from "../support/fenced-database.ts";

it("the example of a pool of one's own opens behind row-level security, and closes", async () => {
  const fenced = await openFenced();
  try {
    await expect(openOnPool(fenced.url)).rejects.toMatchObject({ code: "unsupported" });
    const { database, close } = await openOnPool(fenced.roleUrl);
    const storage = postgresStorage(database).scope({ tenantId: uuidFor("acme"), agentId: uuidFor("researcher") });
    expect(await storage.list()).toEqual([]);
    await close();
  } finally {
    await fenced.close();
  }
});
