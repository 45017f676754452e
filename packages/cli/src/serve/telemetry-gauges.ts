/** Figures that are looked up rather than counted: files of tenants, and the connections to the database. */
import type { Meter } from "@opentelemetry/api";
import type { PoolFigures, Tenancy } from "hango/postgres";
import { isLate } from "../telemetry/is-late.ts";
import type { Logger } from "./log.ts";
import { countFiles, type TenantFiles } from "./telemetry-file-count.ts";

export interface GaugeOptions {
  readonly meter: Meter;
  readonly tenancy: Pick<Tenancy, "listTenants" | "usage">;
  readonly pool: () => PoolFigures | undefined;
  readonly logger: Logger;
  readonly freshMs?: number;
  readonly now?: () => number;
}

const LARGEST_TENANTS = 1_000;
/** However often it is collected, the database is asked once in this time. */
const FRESH_MS = 60_000;
/** A collection does not wait longer for the database: it tells what was seen last. */
const WAIT_MS = 2_000;
const POOL = "hango";

/** The answer stops the looking up. What nobody collects is not looked up. */
export function startGauges({ meter, tenancy, pool, logger, freshMs = FRESH_MS, now = () => performance.now() }: GaugeOptions): () => Promise<void> {
  const stop = new AbortController();
  let seen: readonly TenantFiles[] = [];
  let looking: Promise<void> = Promise.resolve();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  const look = async (): Promise<void> => {
    try {
      seen = await countFiles(tenancy, { largest: LARGEST_TENANTS, signal: stop.signal });
    } catch (error) {
      if (!stop.signal.aborted) logger.warn({ error }, "the files of tenants could not be counted; it is tried again");
    }
    lookedAt = now();
    isLooking = false;
  };

  const fileCount = meter.createObservableGauge("hango.fs.file_count", {
    unit: "{file}",
    description: `Files of a tenant, of the ${LARGEST_TENANTS} largest; the rest together as "other".`,
  });
  fileCount.addCallback(async (result) => {
    if (!isLooking && !stop.signal.aborted && now() - lookedAt > freshMs) {
      isLooking = true;
      looking = look();
    }
    await isLate(looking, WAIT_MS);
    for (const { tenantId, files } of seen) result.observe(files, { tenant_id: tenantId });
  });
  observePool(meter, pool);
  return async () => {
    stop.abort();
    // A database that does not answer must not hold back the end.
    await isLate(looking, WAIT_MS);
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
