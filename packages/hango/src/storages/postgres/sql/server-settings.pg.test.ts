import { randomUUID } from "node:crypto";
import { afterEach, expect, inject, it } from "vitest";
import { freshDatabase, onServer } from "../../../../../../test/support/fresh-database.ts";
import { bytesOf, openSubject } from "../../../../../../test/support/postgres-subject.ts";
import { openDatabase } from "../database.ts";
import { postgresStorage, storageOver } from "../postgres-storage.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A database whose sessions start with the setting. */
async function databaseWith(setting: string): Promise<string> {
  const fresh = await freshDatabase(inject("postgresUrl"));
  cleanups.push(fresh.drop);
  await onServer(fresh.url, `alter database ${new URL(fresh.url).pathname.slice(1)} set ${setting}`);
  return fresh.url;
}

it("bytes come back under bytea_output = escape, where binary files were garbage", async () => {
  const database = await openDatabase(await databaseWith("bytea_output = 'escape'"), { migrate: true, rowLevelSecurity: false });
  cleanups.push(() => database.close());
  const storage = postgresStorage(database).scope({ tenantId: randomUUID(), agentId: randomUUID() });
  for (const bytes of [Uint8Array.from({ length: 256 }, (_, byte) => byte), Uint8Array.of(0, 92, 92, 120, 52, 49), Uint8Array.of(0xff)]) {
    await storage.write("f", bytes);
    expect([...(await storage.read("f")).bytes]).toEqual([...bytes]);
  }
});

it.each([
  ["datestyle = 'German'", "datestyle = German, DMY; hango needs ISO"],
  ["array_nulls = off", "array_nulls = off; hango needs on"],
])("a server with %s is refused at open, where times were lost or commits failed", async (setting, message) => {
  const url = await databaseWith(setting);
  await expect(openDatabase(url, { migrate: true, rowLevelSecurity: false })).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringContaining(message) as string,
  });
});

it("an answer that lost bytes or a time is internal, never a shorter file or an event of 1970", async () => {
  const subject = await openSubject("pglite");
  cleanups.push(() => subject.close());
  const namespace = subject.namespace();
  await subject.storage.scope(namespace).write("f", bytesOf("whole"));
  const driver: typeof subject.driver = {
    ...subject.driver,
    run: async (statements, options) => {
      const result = await subject.driver.run(statements, options);
      const spoil = (row: object): object => ({ ...row, ...("at" in row ? { at: null } : {}), ...("content" in row ? { content: "who" } : {}) });
      return { ...result, rows: result.rows.map((rows) => rows.map((row) => spoil(row) as typeof row)) };
    },
  };
  const spoiled = storageOver(driver);
  await expect(spoiled.scope(namespace).read("f")).rejects.toMatchObject({
    code: "internal",
    message: expect.stringContaining("3 bytes of a file of 5") as string,
  });
  await expect(spoiled.events(namespace)).rejects.toMatchObject({ code: "internal", message: expect.stringContaining("no time") as string });
});

it("options of events that are not options are refused, where a misspelled limit answered 100", async () => {
  const subject = await openSubject("pglite");
  cleanups.push(() => subject.close());
  for (const options of [{ limt: 5 }, null])
    await expect(subject.storage.events(subject.namespace(), options as object)).rejects.toMatchObject({ code: "invalid_argument" });
});
