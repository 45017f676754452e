/** A server with two tenants on a real socket: people, agents, sessions, files, and a record of what was done. */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { defineStorage, memoryStorage, uuidFor, type Namespace, type ScopedStorage, type Storage } from "hango";
import {
  createFilesApp,
  type AgentDirectory,
  type AgentRow,
  type AgentSessionRow,
  type AuditLog,
  type AuditRow,
  type FilesAppOptions,
  type Principal,
} from "hango/http";

export type Person = "owner" | "admin" | "maker" | "other" | "stranger";

export const TENANT: string = uuidFor("tenant one");
export const ELSEWHERE: string = uuidFor("tenant two");

/** The bearer key of each person is their name. `maker` and `other` are members who each made an agent. */
export const people: ReadonlyMap<string, Principal> = new Map<Person, Principal>([
  ["owner", { tenantId: TENANT, subject: "owner", role: "owner" }],
  ["admin", { tenantId: TENANT, subject: "admin", role: "admin" }],
  ["maker", { tenantId: TENANT, subject: "maker", role: "member" }],
  ["other", { tenantId: TENANT, subject: "other", role: "member" }],
  ["stranger", { tenantId: ELSEWHERE, subject: "owner", role: "owner" }],
]);

const agentRow = (tenantId: string, name: string, createdBy: string): AgentRow => ({
  tenantId,
  id: uuidFor(`agent ${name}`),
  name,
  createdBy,
  createdAt: new Date(0),
});

export const agents: Readonly<Record<"mine" | "theirs" | "foreign", AgentRow>> = {
  mine: agentRow(TENANT, "mine", "maker"),
  theirs: agentRow(TENANT, "theirs", "other"),
  foreign: agentRow(ELSEWHERE, "foreign", "owner"),
};

const sessionRow = (agent: AgentRow, name: string, createdBy: string): AgentSessionRow => ({
  id: uuidFor(`session ${name}`),
  agentId: agent.id,
  createdBy,
  createdAt: new Date(0),
  name,
});

export const sessions: Readonly<Record<"makers" | "owners" | "ofTheirs" | "foreign", AgentSessionRow>> = {
  makers: sessionRow(agents.mine, "makers", "maker"),
  owners: sessionRow(agents.mine, "owners", "owner"),
  ofTheirs: sessionRow(agents.theirs, "of theirs", "other"),
  foreign: sessionRow(agents.foreign, "foreign", "owner"),
};

const mayList = (principal: Principal, agent: AgentRow): boolean =>
  agent.tenantId === principal.tenantId && (principal.role !== "member" || agent.createdBy === principal.subject);

export const directory: AgentDirectory = {
  find: async (principal, id) => Object.values(agents).find((agent) => agent.id === id && mayList(principal, agent)),
  list: async (principal, { after = "", limit }) =>
    Object.values(agents)
      .filter((agent) => mayList(principal, agent) && agent.id > after)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit),
  sessions: async (_principal, agent, { after = "", limit }) =>
    Object.values(sessions)
      .filter((session) => session.agentId === agent.id && session.id > after)
      .slice(0, limit),
  session: async (_principal, agent, id) => Object.values(sessions).find((session) => session.id === id && session.agentId === agent.id),
};

export interface World {
  readonly url: string;
  readonly port: number;
  readonly rows: AuditRow[];
  readonly storage: ScopedStorage<Namespace>;
  readonly files: (agent: AgentRow) => Storage;
  readonly errors: unknown[];
  readonly call: (person: Person | undefined, target: string, init?: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** Memory trees that also keep a record, in memory. */
function recordedTrees(rows: AuditRow[]): ScopedStorage<Namespace> {
  const trees = new Map<string, Storage>();
  return {
    name: "memory",
    scope: ({ tenantId, agentId }) => {
      const key = `${tenantId} ${agentId}`;
      const tree = trees.get(key) ?? recorded(memoryStorage(), agentId, rows);
      trees.set(key, tree);
      return tree;
    },
  };
}

function recorded(tree: Storage, agentId: string, rows: AuditRow[]): Storage {
  const keep: NonNullable<Storage["record"]> = async (event, options = {}) => {
    rows.push({ ...event, path: `/${event.path}`, id: randomUUID(), agentId, at: new Date(), actor: "agent", ...options.origin });
  };
  return defineStorage({
    ...tree,
    record: keep,
    write: async (path, bytes, options) => {
      const info = await tree.write(path, bytes, options);
      await keep({ action: "file.write", outcome: "ok", path, version: info.version, sizeBytes: info.sizeBytes }, options);
      return info;
    },
    delete: async (path, options) => {
      await tree.delete(path, options);
      await keep({ action: "file.delete", outcome: "ok", path }, options);
    },
  });
}

/** The record in the order it was kept; an id is a place in it. */
function logOf(rows: readonly AuditRow[]): AuditLog {
  const at = (id: string): number => rows.findIndex((row) => row.id === id);
  return {
    list: async (_tenantId, { agentId, outcome, before, limit }) => {
      const end = before === undefined ? rows.length : at(before);
      return rows
        .slice(0, end)
        .toReversed()
        .filter((row) => (agentId === undefined || row.agentId === agentId) && (outcome === undefined || row.outcome === outcome))
        .slice(0, limit);
    },
    after: async (agent, { after, limit }) =>
      rows
        .slice(at(after) + 1)
        .filter((row) => row.agentId === agent.id)
        .slice(0, limit),
    cursor: async () => rows.at(-1)?.id ?? randomUUID(),
  };
}

export async function openWorld(options: Partial<FilesAppOptions> = {}): Promise<World> {
  const rows: AuditRow[] = [];
  const errors: unknown[] = [];
  const storage = options.storage ?? recordedTrees(rows);
  const app = createFilesApp({
    authenticate: async (request) => people.get(/^Bearer (\w+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? ""),
    agents: directory,
    audit: logOf(rows),
    onError: (error) => errors.push(error),
    ...options,
    storage,
  });
  const server = serve({ fetch: app.fetch as (request: Request) => Promise<Response>, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    rows,
    storage,
    errors,
    files: (agent) => storage.scope({ tenantId: agent.tenantId, agentId: agent.id }),
    call: (person, target, init = {}) =>
      fetch(`${url}${target}`, {
        ...init,
        headers: { ...(person === undefined ? {} : { authorization: `Bearer ${person}` }), ...(init.headers as Record<string, string>) },
      }),
    close: async () => {
      app.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
    },
  };
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function filesUrl(agent: AgentRow, path: string): string {
  return `/v1/agents/${agent.id}/files${path.split("/").map(encodeURIComponent).join("/")}`;
}
