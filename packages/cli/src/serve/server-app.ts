/** The files app over the server's own tenants, keys and record. */
import { createFilesApp, type FilesApp, type FilesAppOptions } from "hango/http";
import { type PostgresStorage, type Tenancy, versionNumber } from "hango/postgres";
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
    usage: ({ tenantId, id }) => storage.usage({ tenantId, agentId: id }),
    versionNumber,
    ...(observe === undefined ? {} : { observe }),
    ...(publicUrl === undefined ? {} : { secureCookie: publicUrl.protocol === "https:" }),
    onError: (error) => logger.error({ request: currentRequest()?.id, error }, "a request failed"),
  });
}
