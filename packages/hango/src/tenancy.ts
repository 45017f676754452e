/** The vocabulary of a team: who signed in, the agents they may see, the record of what was done, and sign-in. The database answers in it and the files app asks in it. Types only. */
import type { FileEvent, Origin, PathFilter } from "./storage.ts";

export type Role = "owner" | "admin" | "member";

/** Who signed in. `subject` goes into the record; at most 512 characters. */
export interface Principal {
  readonly tenantId: string;
  readonly subject: string;
  readonly role: Role;
}

export interface AgentRow {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export interface AgentSessionRow {
  readonly id: string;
  readonly agentId: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly name?: string;
}

/** Rows in order of their id; `after` is the id of the last one of the page before. */
export interface DirectoryPage {
  readonly after?: string;
  readonly limit: number;
}

/** The scoped store of agents: it answers only what this principal may see; undefined is unknown, foreign or invisible. Ids come as the caller sent them. */
export interface AgentDirectory {
  readonly find: (principal: Principal, agentId: string) => Promise<AgentRow | undefined>;
  readonly list: (principal: Principal, page: DirectoryPage) => Promise<readonly AgentRow[]>;
  readonly sessions: (principal: Principal, agent: AgentRow, page: DirectoryPage) => Promise<readonly AgentSessionRow[]>;
  readonly session: (principal: Principal, agent: AgentRow, sessionId: string) => Promise<AgentSessionRow | undefined>;
}

/** Reads a request's key or token. Answers undefined for anyone unknown; it throws only when it can't tell. */
export type Authenticate = (request: Request) => Promise<Principal | undefined>;

/** An event as it was kept. `path` is absolute. */
export interface RecordedEvent extends FileEvent {
  /** Time-ordered: the next page and the next event go on from it. */
  readonly id: string;
  readonly at: Date;
  readonly actor: Origin["actor"];
  readonly principal?: string;
  readonly sessionId?: string;
  readonly tool?: string;
  readonly toolCallId?: string;
}

/** One row of a tenant's record. */
export interface AuditRow extends RecordedEvent {
  readonly agentId: string;
}

export interface AuditQuery {
  readonly agentId?: string;
  readonly action?: FileEvent["action"];
  readonly outcome?: FileEvent["outcome"];
  readonly actor?: Origin["actor"];
  readonly principal?: string;
  readonly sessionId?: string;
  /** Absolute: the path itself and all below it. */
  readonly path?: string;
  readonly from?: Date;
  readonly to?: Date;
  /** Part of the statement, before any limit. Storage form, as everywhere. */
  readonly filters?: readonly PathFilter[];
  /** Only rows older than this one. */
  readonly before?: string;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** All rows of the agent: the app shows those that the reader may see, and goes on from the others too. */
export interface EventQuery {
  /** Only rows after this one. */
  readonly after: string;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** The record of a tenant, read two ways. */
export interface AuditLog {
  /** Newest first. */
  readonly list: (tenantId: string, query: AuditQuery) => Promise<readonly AuditRow[]>;
  /** Oldest first. A row is handed out only when no earlier one can still appear, so that a reader who goes on from the last id misses none. */
  readonly after: (agent: AgentRow, query: EventQuery) => Promise<readonly AuditRow[]>;
  /** Where a stream starts that wants only what comes from now on. */
  readonly cursor: (agent: AgentRow, signal?: AbortSignal) => Promise<string>;
  /** Resolves when something may be new, at the latest after `timeoutMs`. Without it the app polls. */
  readonly wait?: (agent: AgentRow, options: { readonly timeoutMs: number; readonly signal: AbortSignal }) => Promise<void>;
}

/** A sign-in kept by the server: its row dies with the key it was traded for. */
export interface SignedIn {
  /** Goes into the cookie: 1 to 512 of `[A-Za-z0-9._~-]`. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly principal: Principal;
}

export interface SignIn {
  readonly create: (key: string) => Promise<SignedIn | undefined>;
  readonly find: (token: string) => Promise<Principal | undefined>;
  readonly end: (token: string) => Promise<void>;
}
