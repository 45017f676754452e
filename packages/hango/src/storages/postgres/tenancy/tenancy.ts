/** Tenants, agents, sessions, keys and the record of a server, over one database. */
import type { Namespace } from "../../../storage.ts";
import type { PostgresStorage } from "../postgres-storage.ts";
import { type Database, driverOf } from "../database.ts";
import type { Driver } from "../driver/driver.ts";
import type { Quota, Usage } from "../sql/quota.ts";
import { createAgent, creatorFor, deleteAgent, type DeletedAgent, findAgent, listAgents, type NewAgent } from "./agents.ts";
import { eventsAfter, lastEvent } from "./audit-after.ts";
import { listAudit } from "./audit-list.ts";
import { pruneAudit, type PruneAuditOptions } from "./audit-prune.ts";
import { checkFence, type FenceReport } from "./fence.ts";
import { authenticateKey, type CreatedKey, createKey, listKeys, type NewKey, revokeKey } from "./keys.ts";
import { createSession, deleteSession, findSession, listSessions, type NewSession } from "./sessions.ts";
import { createSignIn, endSignIn, findSignIn } from "./sign-ins.ts";
import { tenantStorage } from "./tenant-storage.ts";
import { createTenant, type Deleted, deleteTenant, findTenant, listTenants, type NewTenant, setTenantQuota, tenantUsage } from "./tenants.ts";
import type { AgentRow, AgentSessionRow, AuditQuery, AuditRow, DirectoryPage, EventQuery, Principal, SignedIn } from "../../../tenancy.ts";
import type { ApiKeyRow, TenantRow } from "./types.ts";

export interface Tenancy {
  /** Errors: already_exists. */
  readonly createTenant: (tenant: NewTenant) => Promise<TenantRow>;
  readonly findTenant: (tenantId: string) => Promise<TenantRow | undefined>;
  readonly listTenants: (page: DirectoryPage) => Promise<readonly TenantRow[]>;
  /** With all it has. Atomicity: one agent a transaction. Errors: not_found. */
  readonly deleteTenant: (tenantId: string, options?: { readonly signal?: AbortSignal }) => Promise<Deleted>;
  /** The sum over its agents. Errors: not_found. */
  readonly usage: (tenantId: string) => Promise<Usage>;
  /** Held by `storage`; may be overshot by writers at the same moment. Errors: not_found. */
  readonly setQuota: (tenantId: string, quota: Quota) => Promise<void>;

  /** Errors: already_exists; invalid_argument for a tenant that does not exist. */
  readonly createAgent: (tenantId: string, agent: NewAgent) => Promise<AgentRow>;
  /** With its files, usage, sessions and record. Atomicity: one transaction. Errors: not_found. */
  readonly deleteAgent: (namespace: Namespace) => Promise<DeletedAgent>;

  /** Errors: already_exists; invalid_argument for an agent that does not exist. */
  readonly createSession: (namespace: Namespace, session: NewSession) => Promise<AgentSessionRow>;
  readonly listSessions: (namespace: Namespace, page: DirectoryPage) => Promise<readonly AgentSessionRow[]>;
  readonly deleteSession: (namespace: Namespace, sessionId: string) => Promise<boolean>;

  /** The one time that the key itself is told. Errors: already_exists. */
  readonly createKey: (tenantId: string, key: NewKey) => Promise<CreatedKey>;
  readonly listKeys: (tenantId: string, page: DirectoryPage) => Promise<readonly ApiKeyRow[]>;
  /** Ends the sign-ins made with it as well. Errors: not_found. */
  readonly revokeKey: (tenantId: string, keyId: string) => Promise<ApiKeyRow>;
  /** Undefined for a key that is unknown, revoked, expired or none at all. */
  readonly authenticate: (key: string) => Promise<Principal | undefined>;
  /** For `createFilesApp`: a key traded for a token that dies with it. */
  readonly signIn: {
    readonly create: (key: string) => Promise<SignedIn | undefined>;
    readonly find: (token: string) => Promise<Principal | undefined>;
    readonly end: (token: string) => Promise<void>;
  };

  /** For `createFilesApp`: a member sees the agents it created, owner and admin all of the tenant. */
  readonly agents: {
    readonly find: (principal: Principal, agentId: string) => Promise<AgentRow | undefined>;
    readonly list: (principal: Principal, page: DirectoryPage) => Promise<readonly AgentRow[]>;
    readonly sessions: (principal: Principal, agent: AgentRow, page: DirectoryPage) => Promise<readonly AgentSessionRow[]>;
    readonly session: (principal: Principal, agent: AgentRow, sessionId: string) => Promise<AgentSessionRow | undefined>;
  };

  /** For `createFilesApp`: the record of a tenant, and of an agent as it grows. */
  readonly audit: {
    /** Newest first. */
    readonly list: (tenantId: string, query: AuditQuery) => Promise<readonly AuditRow[]>;
    /** Oldest first, in an order in which nothing can appear before what was handed out. */
    readonly after: (agent: Pick<AgentRow, "tenantId" | "id">, query: EventQuery) => Promise<readonly AuditRow[]>;
    readonly cursor: (agent: Pick<AgentRow, "tenantId" | "id">, signal?: AbortSignal) => Promise<string>;
    /** Answers how many rows went. Atomicity: 2000 rows a transaction. */
    readonly prune: (tenantId: string, options: PruneAuditOptions) => Promise<number>;
  };

  /** `postgresStorage` under the tenants' quotas: `scope` and `load` look at the sum before they write. */
  readonly storage: PostgresStorage;
  /** Whether row-level security holds for the role of this database. */
  readonly checkFence: () => Promise<FenceReport>;
}

/** Takes a database opened with `server: true`. */
export function tenancyOf(database: Database): Tenancy {
  return tenancyOver(driverOf(database));
}

/** The same over a driver. */
export function tenancyOver(driver: Driver): Tenancy {
  return {
    createTenant: async (tenant) => createTenant(driver, tenant),
    findTenant: async (tenantId) => findTenant(driver, tenantId),
    listTenants: async (page) => listTenants(driver, page),
    deleteTenant: async (tenantId, { signal } = {}) => deleteTenant(driver, tenantId, signal),
    usage: async (tenantId) => tenantUsage(driver, tenantId),
    setQuota: async (tenantId, quota) => setTenantQuota(driver, tenantId, quota),
    createAgent: async (tenantId, agent) => createAgent(driver, tenantId, agent),
    deleteAgent: async (namespace) => deleteAgent(driver, namespace),
    createSession: async (namespace, session) => createSession(driver, namespace, session),
    listSessions: async (namespace, page) => listSessions(driver, namespace, page, null),
    deleteSession: async (namespace, sessionId) => deleteSession(driver, namespace, sessionId),
    createKey: async (tenantId, key) => createKey(driver, tenantId, key),
    listKeys: async (tenantId, page) => listKeys(driver, tenantId, page),
    revokeKey: async (tenantId, keyId) => revokeKey(driver, tenantId, keyId),
    authenticate: async (key) => authenticateKey(driver, key),
    signIn: {
      create: async (key) => createSignIn(driver, key),
      find: async (token) => findSignIn(driver, token),
      end: async (token) => endSignIn(driver, token),
    },
    agents: {
      find: async (principal, agentId) => findAgent(driver, principal, agentId),
      list: async (principal, page) => listAgents(driver, principal, page),
      sessions: async (principal, agent, page) => listSessions(driver, namespaceOf(agent), page, creatorFor(principal)),
      session: async (principal, agent, sessionId) => findSession(driver, namespaceOf(agent), sessionId, creatorFor(principal)),
    },
    audit: {
      list: async (tenantId, query) => listAudit(driver, tenantId, query),
      after: async (agent, query) => eventsAfter(driver, namespaceOf(agent), query),
      cursor: async (agent, signal) => lastEvent(driver, namespaceOf(agent), signal),
      prune: async (tenantId, options) => pruneAudit(driver, tenantId, options),
    },
    storage: tenantStorage(driver),
    checkFence: async () => checkFence(driver),
  };
}

/** From the row that was looked up, never from what a caller named. */
function namespaceOf({ tenantId, id }: Pick<AgentRow, "tenantId" | "id">): Namespace {
  return { tenantId, agentId: id };
}
