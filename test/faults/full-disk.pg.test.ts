import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { isHangoError } from "../../packages/hango/src/errors.ts";
import { openSession } from "../../packages/hango/src/session/session.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { type Database, driverOf, openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { onServer } from "../support/fresh-database.ts";
import { postgresBinaries } from "../support/postgres-binaries.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { type Query, stateFaults } from "./audit-check.ts";
import { canMount, type SmallDisk, smallDisk } from "./small-disk.ts";

const MAX_FILES = 400;
const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
/** Text that doesn't compress, so that a file takes its size on the disk. */
const incompressible = (bytes: number): Uint8Array =>
  new TextEncoder().encode(
    Array.from({ length: Math.ceil(bytes / 36) }, () => randomUUID())
      .join("")
      .slice(0, bytes),
  );

function queryOf(database: Database): Query {
  return async (text) => (await driverOf(database).run([{ text, values: [] }], { namespace })).rows[0] ?? [];
}

/** Writes until it is refused. Answers what was acknowledged and the refusal. */
async function fillUp(storage: Storage, bytes: number): Promise<{ readonly kept: readonly string[]; readonly error: unknown }> {
  const kept: string[] = [];
  for (let n = 0; n < MAX_FILES; n++) {
    try {
      await storage.write(`f${n}`, incompressible(bytes));
      kept.push(`f${n}`);
    } catch (error) {
      return { kept, error };
    }
  }
  return { kept, error: undefined };
}

async function onDisk(megabytes: number, use: (disk: SmallDisk, server: PostgresServer) => Promise<void>): Promise<void> {
  const [disk, server] = [smallDisk(megabytes), await startPostgres()];
  if (disk === undefined) throw new Error("no disk could be mounted");
  try {
    await use(disk, server);
  } finally {
    await server.stop();
    disk.remove();
  }
}

function giveToServer(path: string): void {
  const { uid, gid } = postgresBinaries().owner;
  if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${gid}`, path]);
}

describe.runIf(canMount())("a disk that is full", () => {
  it("of tables answers unavailable, changes nothing, still reads, and goes on once there is space", async () => {
    await onDisk(24, async (disk, server) => {
      const place = join(disk.path, "tables");
      mkdirSync(place);
      giveToServer(place);
      await onServer(server.url, `create tablespace small location '${place}'`);
      await onServer(server.url, "create database small tablespace small");
      const database = await openDatabase(server.url.replace(/\/postgres$/, "/small"), { migrate: true, rowLevelSecurity: false });
      const storage = postgresStorage(database).scope(namespace);
      const { kept, error } = await fillUp(storage, 200_000);
      expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("disk is full") });
      const change = (path: string) => storage.write(path, incompressible(900_000)).catch((thrown: unknown) => thrown);
      for (const path of ["new", "f0", "f1"]) expect(await change(path)).toMatchObject({ code: "unavailable" });
      const commit = [0, 1, 2].map((n) => ({ kind: "create", path: `c${n}`, bytes: incompressible(600_000) }) as const);
      await expect(storage.apply?.(commit)).rejects.toMatchObject({ code: "unavailable" });
      const session = openSession({ storage, sessionId: randomUUID() });
      const result = await session.offload(
        { isError: false, forModel: new TextDecoder().decode(incompressible(900_000)) },
        { toolCallId: "1", toolName: "query" },
      );
      expect(result).toMatchObject({ details: { offload: { saved: false } }, forModel: expect.stringContaining("could not be saved") });
      expect((await storage.list()).map(({ path }) => path).toSorted()).toEqual(kept.toSorted());
      expect((await storage.read("f0")).bytes).toHaveLength(200_000);
      expect(await stateFaults(queryOf(database))).toEqual([]);
      disk.resize(64);
      await storage.apply?.(commit);
      expect(await stateFaults(queryOf(database))).toEqual([]);
      await database.close();
    });
  });

  it("of the log stops the server: unavailable, nothing acknowledged is lost, and it goes on once there is space", async () => {
    await onDisk(52, async (disk, server) => {
      const data = await dataDirectory(server.url);
      const log = join(disk.path, "log");
      await server.kill();
      execFileSync("mv", [join(data, "pg_wal"), log]);
      execFileSync("ln", ["-s", log, join(data, "pg_wal")]);
      await server.restart();
      const database = await openDatabase(server.url, { migrate: true, rowLevelSecurity: false });
      const storage = postgresStorage(database).scope(namespace);
      const { kept, error } = await fillUp(storage, 500_000);
      expect(isHangoError(error, "unavailable"), String(error)).toBe(true);
      expect(kept.length).toBeGreaterThan(10);
      disk.resize(400);
      await server.restart();
      const there = new Set((await storage.list()).map(({ path }) => path));
      expect(kept.filter((path) => !there.has(path))).toEqual([]);
      expect(await stateFaults(queryOf(database))).toEqual([]);
      await storage.write("next", incompressible(10));
      await database.close();
    });
  });
});

async function dataDirectory(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("show data_directory");
  await client.end();
  return rows[0]?.data_directory ?? "";
}
