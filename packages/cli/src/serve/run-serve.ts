/** Runs the server from its opening to its end. */
import { databasePool, postgresStorage } from "hango/postgres";
import { printLine } from "../output.ts";
import type { DatabaseCommandOptions } from "../store.ts";
import { every } from "./every.ts";
import { type FirstStart, firstStart } from "./first-start.ts";
import { createHealth } from "./health.ts";
import { startHttpServer } from "./http-server.ts";
import { createLog, type Logger } from "./log.ts";
import { openServerStore, type ServerStore } from "./open-server-store.ts";
import { pruneStore } from "./prune-store.ts";
import { createServerApp } from "./server-app.ts";
import type { ServeSettings } from "./settings.ts";
import { openTelemetry } from "./telemetry.ts";
import type { Telemetry } from "./telemetry-parts.ts";
import type { TelemetrySettings } from "../telemetry/settings.ts";
import { type Asked, untilAsked } from "./until-asked.ts";

/** Serves until the process is asked to end; the answer comes when all is closed. Errors: those of opening the store and the port. */
export async function runServe(options: DatabaseCommandOptions, settings: ServeSettings, telemetrySettings: TelemetrySettings): Promise<void> {
  const { logger, flush } = createLog(settings);
  const asked = untilAsked();
  try {
    const store = await openServerStore(options, { settings, logger });
    try {
      // Asked while it opened: a key that is made now would be shown to nobody who stays.
      if (!asked.signal.aborted) await serveStore(store, { settings, telemetrySettings, logger, asked });
    } finally {
      await store.close();
    }
    logger.info("closed");
  } finally {
    asked.giveBack();
    await flush();
  }
}

interface ServeContext {
  readonly settings: ServeSettings;
  readonly telemetrySettings: TelemetrySettings;
  readonly logger: Logger;
  readonly asked: Asked;
}

async function serveStore(store: ServerStore, context: ServeContext): Promise<void> {
  const { database, tenancy } = store;
  const { telemetrySettings, logger } = context;
  const telemetry = await openTelemetry({ settings: telemetrySettings, tenancy, pool: () => databasePool(database), logger });
  try {
    await serveObserved(store, context, telemetry);
  } finally {
    await telemetry?.close();
  }
}

async function serveObserved({ database, tenancy }: ServerStore, { settings, logger, asked }: ServeContext, telemetry?: Telemetry): Promise<void> {
  const storage = postgresStorage(database);
  const app = createServerApp({ tenancy, storage, settings, logger, ...(telemetry === undefined ? {} : { observe: telemetry.observe }) });
  const health = createHealth({
    ping: () => tenancy.listTenants({ limit: 1 }),
    isClosing: () => asked.signal.aborted,
    onFailure: (error) => logger.error({ error }, "the database does not answer"),
  });
  const server = await startHttpServer({ fetch: telemetry === undefined ? app.fetch : telemetry.observeRequests(app.fetch), health, logger, settings });
  let stopPruning: (() => Promise<void>) | undefined;
  try {
    // After the port is ours: a key that is made and never shown would open nothing.
    const made = await firstStart({ tenancy, storage, hasOtherSignIn: settings.jwt !== undefined });
    if (settings.pruneMachineFilesMs !== undefined || settings.pruneAuditMs !== undefined)
      stopPruning = every(async (signal) => void (await pruneStore({ tenancy, storage, settings, logger }, signal)), {
        everyMs: settings.pruneEveryMs,
        onError: (error) => logger.error({ error }, "pruning failed; it is tried again"),
      });
    await tellStart(settings.publicUrl?.href.replace(/\/$/, "") ?? server.url, made);
    logger.info({ url: server.url }, "serving");
    await asked.promise;
    logger.info({ waitMs: settings.shutdownMs }, "closing");
  } finally {
    // Streams of events have no end of their own.
    app.close();
    const [cut] = await Promise.all([server.close(settings.shutdownMs), stopPruning?.()]);
    if (cut > 0) logger.warn({ connections: cut }, "requests were cut off: they took longer than the time to close");
  }
}

async function tellStart(url: string, made: FirstStart | undefined): Promise<void> {
  await printLine(url);
  if (made === undefined) return;
  const { tenantId, agentId, key } = made;
  await printLine(`
Nobody had a key to this store, so here is one for you, the owner, with an agent to look at.
It is shown this once: keep it where you keep passwords. Another one: hango key create

  key     ${key}
  tenant  ${tenantId}
  agent   ${agentId}

  curl -H "Authorization: Bearer ${key}" ${url}/v1/agents/${agentId}/files`);
}
