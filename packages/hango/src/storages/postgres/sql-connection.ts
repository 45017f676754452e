/** One connection that runs one statement after another: what the migrator and the start-up checks need, on either engine. */
import type { Row, SqlValue } from "./driver/driver.ts";

export interface SqlConnection {
  /** Errors: the engine's own. */
  readonly query: (text: string, values?: readonly SqlValue[]) => Promise<{ readonly rows: readonly Row[]; readonly affected: number }>;
}
