import type * as FileSystem from "node:fs";
import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { openDatabase } from "../database.ts";
import { postgresStorage } from "../postgres-storage.ts";

const disk = vi.hoisted(() => ({ full: false }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof FileSystem>();
  return { ...real, statfsSync: (path: string) => (disk.full ? { bavail: 100, bsize: 4096 } : real.statfsSync(path)) };
});

it("a change on a full disk is refused before the engine sees it, which stood still for 60 s and could not be opened again; reads go on", async () => {
  const database = await openDatabase("pglite:");
  const storage = postgresStorage(database).scope({ tenantId: randomUUID(), agentId: randomUUID() });
  const { version } = await storage.write("a", new TextEncoder().encode("kept"));
  disk.full = true;
  const full = { code: "unavailable", message: expect.stringContaining("disk of the database is full; nothing was changed") };
  await expect(storage.write("b", new Uint8Array(10))).rejects.toMatchObject(full);
  await expect(storage.delete("a", { ifVersion: version })).rejects.toMatchObject(full);
  expect((await storage.list()).map(({ path }) => path)).toEqual(["a"]);
  expect(new TextDecoder().decode((await storage.read("a")).bytes)).toBe("kept");
  disk.full = false;
  await storage.write("b", new Uint8Array(10));
  await database.close();
});
