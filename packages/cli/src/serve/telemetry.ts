/** The server's own telemetry: what it sends by OTLP, and the page that Prometheus reads. With neither asked for, nothing is loaded. */
import type { AgentRow } from "hango/http";
import type { Session } from "hango";
import type { PoolFigures, Tenancy } from "hango/postgres";
import type { AppFetch } from "./http-server.ts";
import type { Logger } from "./log.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";

export interface Telemetry {
  /** For `createFilesApp`. */
  readonly observe: (session: Session, agent: AgentRow) => Session;
  readonly observeRequests: (fetch: AppFetch) => AppFetch;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

export interface TelemetryParts {
  readonly settings: TelemetrySettings;
  readonly tenancy: Pick<Tenancy, "listTenants" | "usage">;
  readonly pool: () => PoolFigures | undefined;
  readonly logger: Logger;
}

/** Undefined when nobody asked for any. Errors: unavailable when the metrics page can't be opened. */
export async function openTelemetry(parts: TelemetryParts): Promise<Telemetry | undefined> {
  const { otlp, metricsPage } = parts.settings;
  if (otlp.size === 0 && metricsPage === undefined) return undefined;
  const { startTelemetry } = await import("./telemetry-start.ts");
  return startTelemetry(parts);
}
