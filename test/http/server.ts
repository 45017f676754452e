/** The files app as a server runs it: tenants, keys, agents, sessions, files and record in one Postgres. */
import { openDatabase, tenancyOf, type AgentRow, type Tenancy } from "hango/postgres";
import type { Storage } from "hango";
import { afterAll, beforeAll, inject } from "vitest";
import { freshDatabase } from "../support/fresh-database.ts";
import { openWorld, type World } from "./world.ts";

export interface Team {
  readonly tenantId: string;
  /** By role, and a second member's. */
  readonly keys: { readonly owner: string; readonly admin: string; readonly member: string; readonly other: string };
  /** Made by the member. */
  readonly agent: AgentRow;
}

export interface Server {
  readonly world: World;
  readonly tenancy: Tenancy;
  readonly team: (name: string) => Promise<Team>;
  readonly files: (agent: AgentRow) => Storage;
  readonly call: (key: string, target: string, init?: RequestInit) => Promise<Response>;
}

/** Opened once for the file that asks. */
export function openServer(): () => Server {
  let server: Server | undefined;
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const fresh = await freshDatabase(inject("postgresUrl"));
    const database = await openDatabase(fresh.url, { migrate: true, server: true, rowLevelSecurity: false });
    const tenancy = tenancyOf(database);
    const world = await openWorld({
      authenticate: async (request) => tenancy.authenticate(/^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? ""),
      agents: tenancy.agents,
      audit: tenancy.audit,
      signIn: tenancy.signIn,
      storage: tenancy.storage,
      streams: { pollMs: 20, heartbeatMs: 60 },
    });
    close = async () => {
      await world.close();
      await database.close();
      await fresh.drop();
    };
    server = {
      world,
      tenancy,
      team: (name) => makeTeam(tenancy, name),
      files: (agent) => tenancy.storage.scope({ tenantId: agent.tenantId, agentId: agent.id }),
      call: (key, target, init = {}) =>
        fetch(`${world.url}${target}`, { ...init, headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) } }),
    };
  });
  afterAll(() => close());
  return () => {
    if (server === undefined) throw new Error("the server opens in beforeAll");
    return server;
  };
}

async function makeTeam(tenancy: Tenancy, name: string): Promise<Team> {
  const { id: tenantId } = await tenancy.createTenant({ name });
  const keyOf = async (subject: string, role: "owner" | "admin" | "member"): Promise<string> => (await tenancy.createKey(tenantId, { subject, role })).key;
  const keys = {
    owner: await keyOf("owner", "owner"),
    admin: await keyOf("admin", "admin"),
    member: await keyOf("member", "member"),
    other: await keyOf("other", "member"),
  };
  return { tenantId, keys, agent: await tenancy.createAgent(tenantId, { name: "helper", createdBy: "member" }) };
}
