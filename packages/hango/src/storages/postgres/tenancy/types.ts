/** Who belongs to whom. The shapes are those that `createFilesApp` (hango/http) takes. */

export type Role = "owner" | "admin" | "member";
export const ROLES: readonly Role[] = ["owner", "admin", "member"];

/** Who signed in. */
export interface Principal {
  readonly tenantId: string;
  readonly subject: string;
  readonly role: Role;
}

export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
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

/** A key as it is listed: never the key itself, of which only the hash is kept. */
export interface ApiKeyRow {
  readonly id: string;
  /** How the key starts, to tell it by. */
  readonly prefix: string;
  readonly subject: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

/** Rows in order of their id; `after` is the id of the last one of the page before. */
export interface Page {
  readonly after?: string;
  /** Limits: 1 to 1000. */
  readonly limit: number;
}
