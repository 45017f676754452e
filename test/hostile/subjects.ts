/** The storages that must hold out, each filled with the tree. */
import { randomUUID } from "node:crypto";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { memoryStorage } from "../../packages/hango/src/storages/memory.ts";
import { openDatabase, postgresStorage } from "../../packages/hango/src/storages/postgres/index.ts";
import { fillWorld, type World } from "./world.ts";

export type SubjectName = "memory" | "postgres" | "pglite";

export interface Subject {
  readonly name: SubjectName;
  readonly storage: Storage;
  readonly close: () => Promise<void>;
}

export async function memorySubject(world: World): Promise<Subject> {
  const storage = memoryStorage();
  await fillWorld(storage, world);
  return { name: "memory", storage, close: async () => undefined };
}

/** A database, its tables made when they are missing. */
export async function databaseSubject(name: "postgres" | "pglite", url: string, world: World): Promise<Subject> {
  const database = await openDatabase(url, { migrate: true, rowLevelSecurity: false });
  const storage = postgresStorage(database).scope({ tenantId: randomUUID(), agentId: randomUUID() });
  await fillWorld(storage, world);
  return { name, storage, close: () => database.close() };
}
