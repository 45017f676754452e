/** The files app over the server's own tenants, keys and record. */
import { type AgentRow, type AgentUsage, createFilesApp, type FilesApp, type FilesAppOptions } from "hango/http";
import type { PostgresStorage, Tenancy } from "hango/postgres";
import { createDoorkeeper } from "./authenticate.ts";
import { createTokenReader } from "./jwt.ts";
import type { Logger } from "./log.ts";
import { currentRequest } from "./request-context.ts";
import type { ServeSettings } from "./settings.ts";

export interface ServerAppOptions {
  readonly tenancy: Tenancy;
  readonly storage: PostgresStorage;
  readonly settings: Pick<ServeSettings, "jwt" | "publicUrl">;
  readonly logger: Logger;
  readonly observe?: NonNullable<FilesAppOptions["observe"]>;
}

export function createServerApp({ tenancy, storage, settings: { jwt, publicUrl }, logger, observe }: ServerAppOptions): FilesApp {
  const { agents, audit } = tenancy;
  return createFilesApp({
    ...createDoorkeeper(tenancy, jwt === undefined ? {} : { readToken: createTokenReader(jwt) }),
    agents,
    audit,
    storage: tenancy.storage,
    usage: (agent) => usageOf(storage, agent),
    versionNumber,
    ...(observe === undefined ? {} : { observe }),
    ...(publicUrl === undefined ? {} : { secureCookie: publicUrl.protocol === "https:" }),
    onError: (error) => logger.error({ request: currentRequest()?.id, error }, "a request failed"),
  });
}

async function usageOf(storage: PostgresStorage, { tenantId, id }: AgentRow): Promise<AgentUsage> {
  const { bytes, ...rest } = await storage.usage({ tenantId, agentId: id });
  return { ...rest, sizeBytes: bytes };
}

/** A version is the row's id and the row's own count. */
function versionNumber(version: string): number | undefined {
  const count = /\.(\d{1,10})$/.exec(version)?.[1];
  return count === undefined ? undefined : Number(count);
}
