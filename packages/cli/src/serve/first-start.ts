/** A store without keys gets a tenant, an agent to look at and the owner's key, which is shown this once. */
import { isHangoError, type Origin, uuidFor } from "hango";
import type { PostgresStorage, Tenancy } from "hango/postgres";
import { sampleFiles } from "./sample-files.ts";

export interface FirstStart {
  readonly tenantId: string;
  readonly agentId: string;
  readonly key: string;
}

/** The names that the other commands stand on when none is given, so that `hango ls` shows the same files. */
const NAME = "default";
const OWNER = "owner";
/** Of a tenant's keys the first in order; an id that stands fast, so that two servers can't both make it. */
const FIRST_KEY = "00000000-0000-7000-8000-000000000001";
const origin: Origin = { actor: "operator", principal: OWNER };

export interface FirstStartOptions {
  readonly tenancy: Tenancy;
  readonly storage: PostgresStorage;
  /** Somebody else says who may come in, so a store without keys lacks nothing. */
  readonly hasOtherSignIn: boolean;
}

/** Undefined when there is nothing to do. A start that was cut short goes on here: the key comes last. Errors: those of the store. */
export async function firstStart({ tenancy, storage, hasOtherSignIn }: FirstStartOptions): Promise<FirstStart | undefined> {
  const tenants = await tenancy.listTenants({ limit: 2 });
  const [first] = tenants;
  if (first === undefined) {
    // Of two servers that start at once on the same store, both go on: the slower one may be the one that stays.
    await unlessThere(() => tenancy.createTenant({ id: uuidFor(NAME), name: NAME }));
  } else if (tenants.length > 1 || hasOtherSignIn || (await tenancy.listKeys(first.id, { limit: 1 })).length > 0) return undefined;
  const tenantId = first?.id ?? uuidFor(NAME);
  const agentId = await sampleAgent(tenantId, { tenancy, storage });
  const made = await unlessThere(() => tenancy.createKey(tenantId, { id: FIRST_KEY, subject: OWNER, role: "owner" }));
  // Another server was faster, and shows its key.
  return made && { tenantId, agentId, key: made.key };
}

/** An agent that is there, as after an import, is the one to look at. */
async function sampleAgent(tenantId: string, { tenancy, storage }: Pick<FirstStartOptions, "tenancy" | "storage">): Promise<string> {
  const [there] = await tenancy.agents.list({ tenantId, subject: OWNER, role: "owner" }, { limit: 1 });
  const agentId = there?.id ?? uuidFor(NAME);
  if (there === undefined) await unlessThere(() => tenancy.createAgent(tenantId, { id: agentId, name: "Sample agent", createdBy: OWNER }));
  const files = storage.scope({ tenantId, agentId });
  if ((await files.list({ limit: 1 })).length > 0) return agentId;
  for (const [path, text] of sampleFiles) await unlessThere(() => files.write(path, new TextEncoder().encode(text), { ifVersion: "absent", origin }));
  return agentId;
}

/** Undefined when it was there already. */
async function unlessThere<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (isHangoError(error, "already_exists")) return undefined;
    throw error;
  }
}
