/** Figures that are looked up rather than counted: files of tenants, and the connections to the database. */
import type { Meter } from "@opentelemetry/api";
import type { PoolFigures, Tenancy } from "hango/postgres";
import { every } from "./every.ts";
import type { Logger } from "./log.ts";
import { countFiles, type TenantFiles } from "./telemetry-file-count.ts";

export interface GaugeOptions {
  readonly meter: Meter;
  readonly tenancy: Pick<Tenancy, "listTenants" | "usage">;
  readonly pool: () => PoolFigures | undefined;
  readonly logger: Logger;
  readonly everyMs?: number;
}

const LARGEST_TENANTS = 1_000;
const EVERY_MS = 60_000;
const POOL = "hango";

/** The answer stops the looking up. A collection never waits for the database: it tells what was seen last. */
export function startGauges({ meter, tenancy, pool, logger, everyMs = EVERY_MS }: GaugeOptions): () => Promise<void> {
  let seen: readonly TenantFiles[] = [];
  const look = async (signal: AbortSignal): Promise<void> => {
    seen = await countFiles(tenancy, { largest: LARGEST_TENANTS, signal });
  };
  const fileCount = meter.createObservableGauge("hango.fs.file_count", {
    unit: "{file}",
    description: `Files of a tenant, of the ${LARGEST_TENANTS} largest; the rest together as "other".`,
  });
  fileCount.addCallback((result) => {
    for (const { tenantId, files } of seen) result.observe(files, { tenant_id: tenantId });
  });
  observePool(meter, pool);

  const onError = (error: unknown): void => logger.warn({ error }, "the files of tenants could not be counted; it is tried again");
  // At once and not within the first interval: a gauge that is missing looks like one that is broken.
  const first = new AbortController();
  const now = look(first.signal).catch((error: unknown) => {
    if (!first.signal.aborted) onError(error);
  });
  const stop = every(look, { everyMs, random: () => 0.5, onError });
  return async () => {
    first.abort();
    await Promise.all([now, stop()]);
  };
}

/** Names and units are OpenTelemetry's own, of database clients. */
function observePool(meter: Meter, pool: () => PoolFigures | undefined): void {
  const name = { "db.client.connection.pool.name": POOL };
  const count = meter.createObservableUpDownCounter("db.client.connection.count", {
    unit: "{connection}",
    description: "Connections to the database, by state.",
  });
  count.addCallback((result) => {
    const figures = pool();
    if (figures === undefined) return;
    result.observe(figures.used, { ...name, "db.client.connection.state": "used" });
    result.observe(figures.idle, { ...name, "db.client.connection.state": "idle" });
  });
  const max = meter.createObservableUpDownCounter("db.client.connection.max", {
    unit: "{connection}",
    description: "The most connections that the pool opens.",
  });
  max.addCallback((result) => {
    const figures = pool();
    if (figures !== undefined) result.observe(figures.max, name);
  });
  const waiting = meter.createObservableUpDownCounter("db.client.connection.pending_requests", {
    unit: "{request}",
    description: "Calls that wait for a connection.",
  });
  waiting.addCallback((result) => {
    const figures = pool();
    if (figures !== undefined) result.observe(figures.waiting, name);
  });
}
