/** Rows of tenants and keys; what the files app shares stands in the vocabulary of a team. */
import type { Role } from "../../../tenancy.ts";

export const ROLES: readonly Role[] = ["owner", "admin", "member"];

export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
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
