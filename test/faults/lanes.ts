/** A database on the given server, fenced or not, and lanes into it that can be cut. */
import { randomBytes } from "node:crypto";
import { driverOf, openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import { freshDatabase, onServer } from "../support/fresh-database.ts";
import type { Query } from "./audit-check.ts";
import type { Lane } from "./cut-everywhere.ts";
import { cuttingProxy } from "./cutting-proxy.ts";

export interface Lanes {
  readonly lanes: readonly Lane[];
  /** Past every proxy, as the superuser. */
  readonly query: Query;
  readonly url: string;
  readonly close: () => Promise<void>;
}

const nowhere = { tenantId: "00000000-0000-4000-8000-000000000000", agentId: "00000000-0000-4000-8000-000000000000" };

/** `fenced`: as an ordinary role, so that every call is a transaction behind row-level security. */
export async function openLanes(serverUrl: string, { count, fenced }: { readonly count: number; readonly fenced: boolean }): Promise<Lanes> {
  const fresh = await freshDatabase(serverUrl);
  const admin = await openDatabase(fresh.url, { migrate: true, rowLevelSecurity: false });
  const role = `hango_test_${randomBytes(6).toString("hex")}`;
  const url = new URL(fresh.url);
  if (fenced) {
    url.username = role;
    await onServer(
      fresh.url,
      `create role ${role} login; grant usage on schema hango to ${role}; grant select, insert, update, delete on all tables in schema hango to ${role}`,
    );
  }
  const rowLevelSecurity = fenced;
  const direct = await openDatabase(url.href, { rowLevelSecurity, maxConnections: count });
  const lanes: Lane[] = [];
  for (let n = 0; n < count; n++) {
    const proxy = await cuttingProxy({ host: url.hostname, port: Number(url.port) });
    const through = new URL(url.href);
    through.port = String(proxy.port);
    lanes.push({ proxy, direct, database: await openDatabase(through.href, { rowLevelSecurity, maxConnections: 1 }) });
  }
  return {
    lanes,
    url: fresh.url,
    query: async (text) => (await driverOf(admin).run([{ text, values: [] }], { namespace: nowhere })).rows[0] ?? [],
    close: async () => {
      for (const { database, proxy } of lanes) {
        await database.close();
        await proxy.close();
      }
      for (const database of [direct, admin]) await database.close();
      await fresh.drop();
      if (fenced) await onServer(serverUrl, `drop role ${role}`);
    },
  };
}

/** Gives the work to whichever lane is free. */
export async function overLanes<T>({ lanes }: Lanes, work: readonly T[], run: (lane: Lane, item: T) => Promise<void>): Promise<void> {
  const left = [...work];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await run(lane, item);
    }),
  );
}
