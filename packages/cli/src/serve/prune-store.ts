/** Old machine files and old rows of the record go, tenant by tenant. Two servers that do it at once delete what is left for either. */
import { isHangoError } from "hango";
import type { PostgresStorage, PruneOptions, Tenancy } from "hango/postgres";
import type { Logger } from "./log.ts";
import type { ServeSettings } from "./settings.ts";

export interface PruneStoreOptions {
  readonly tenancy: Tenancy;
  readonly storage: PostgresStorage;
  readonly settings: Pick<ServeSettings, "pruneMachineFilesMs" | "pruneAuditMs">;
  readonly logger: Logger;
  readonly now?: () => number;
}

const PAGE = 100;

interface Pruned {
  readonly files: number;
  readonly bytes: number;
  readonly events: number;
}

/** One round over the whole store. Units of the ages: milliseconds; one that is not set prunes nothing of its kind. Errors: unavailable ends the round. */
export async function pruneStore({ tenancy, storage, settings, logger, now = Date.now }: PruneStoreOptions, signal: AbortSignal): Promise<Pruned> {
  const { pruneMachineFilesMs, pruneAuditMs } = settings;
  let [files, bytes, events] = [0, 0, 0];
  for await (const tenant of pages((page) => tenancy.listTenants(page))) {
    signal.throwIfAborted();
    if (pruneMachineFilesMs !== undefined)
      for await (const agent of pages((page) => tenancy.agents.list({ tenantId: tenant.id, subject: "server", role: "owner" }, page))) {
        const options: PruneOptions = { olderThan: new Date(now() - pruneMachineFilesMs), signal, origin: { actor: "system" } };
        await goingOn({ tenant: tenant.id, agent: agent.id }, async () => {
          const gone = await storage.prune({ tenantId: tenant.id, agentId: agent.id }, options);
          files += gone.files;
          bytes += gone.bytes;
        });
      }
    if (pruneAuditMs !== undefined)
      await goingOn({ tenant: tenant.id }, async () => {
        events += await tenancy.audit.prune(tenant.id, { olderThan: new Date(now() - pruneAuditMs), signal });
      });
  }
  if (files + events > 0) logger.info({ files, bytes, events }, "pruned by age");
  return { files, bytes, events };

  /** What fails for one is told, and the others still have their turn; a database that does not answer is the same for all of them. */
  async function goingOn(whose: { readonly tenant: string; readonly agent?: string }, prune: () => Promise<void>): Promise<void> {
    try {
      await prune();
    } catch (error) {
      signal.throwIfAborted();
      if (isHangoError(error, "unavailable")) throw error;
      logger.error({ ...whose, error }, "pruning failed for one; the others go on, and it is tried again");
    }
  }
}

interface Cursor {
  readonly after?: string;
  readonly limit: number;
}

/** Every row, a page at a time. */
async function* pages<Row extends { readonly id: string }>(list: (page: Cursor) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  for (let after: string | undefined, more = true; more;) {
    const rows = await list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield* rows;
    after = rows.at(-1)?.id;
    more = rows.length === PAGE;
  }
}
