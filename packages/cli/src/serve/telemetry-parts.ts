/** What the server's telemetry is made of, and what it gives. Types only. */
import type { Session } from "hango";
import type { AgentRow } from "hango/http";
import type { PoolFigures, Tenancy } from "hango/postgres";
import type { AppFetch } from "./http-server.ts";
import type { Logger } from "./log.ts";
import type { TelemetrySettings } from "../telemetry/settings.ts";

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
