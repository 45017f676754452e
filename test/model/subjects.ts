/** The storages that the model is held against. */
import { randomUUID } from "node:crypto";
import type { Namespace } from "../../packages/hango/src/storage.ts";
import { memoryStorage } from "../../packages/hango/src/storages/memory.ts";
import { openDatabase, postgresStorage } from "../../packages/hango/src/storages/postgres/index.ts";
import { withoutAccelerators } from "../../packages/hango/src/testing/without-accelerators.ts";
import type { Neighbour, Room, Subject } from "./world.ts";

const nothing = async (): Promise<void> => undefined;

export function memorySubject(): Subject {
  return { name: "memory", search: true, close: nothing, rooms: () => [{ storage: memoryStorage() }, { storage: memoryStorage() }] };
}

export function memoryWithoutAccelerators(): Subject {
  const room = (): Room => ({ storage: withoutAccelerators(memoryStorage()) });
  return { name: "memory without accelerators", search: true, close: nothing, rooms: () => [room(), room()] };
}

/** A database with its tables made when they are missing. */
export async function databaseSubject(name: string, url: string): Promise<Subject> {
  const database = await openDatabase(url, { migrate: true, rowLevelSecurity: false });
  const storage = postgresStorage(database);
  const room = (namespace: Namespace): Room => ({
    storage: storage.scope(namespace),
    books: {
      usage: () => storage.usage(namespace),
      events: (limit) => storage.events(namespace, { limit }),
      erase: () => storage.erase(namespace),
    },
  });
  return {
    name,
    search: false,
    close: () => database.close(),
    rooms: (neighbour: Neighbour) => {
      const mine = { tenantId: randomUUID(), agentId: randomUUID() };
      return [room(mine), room(neighbour === "agent" ? { ...mine, agentId: randomUUID() } : { ...mine, tenantId: randomUUID() })];
    },
  };
}
