import type { Principal } from "../tenancy.ts";

/** One person of one tenant, as what is counted for each of them is kept. */
export function callerKey({ tenantId, subject }: Pick<Principal, "tenantId" | "subject">): string {
  return `${tenantId} ${subject}`;
}
