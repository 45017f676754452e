import { HangoError } from "../../../errors.ts";
import type { Row } from "../driver/driver.ts";

export interface MadeRowOptions<T> {
  /** Of the run that made it. */
  readonly attempts: number;
  /** For the message: "The agent …". */
  readonly what: string;
  readonly rowOf: (row: Row) => T;
}

/** What a create answered: its own row, or the one that stood there. After an answer that was lost on the way, the row is its own. Errors: already_exists. */
export function madeRow<T>(rows: readonly Row[], { attempts, what, rowOf }: MadeRowOptions<T>): T {
  const row = rows.find((candidate) => candidate["made"] === true) ?? (attempts > 1 ? rows[0] : undefined);
  if (row === undefined) throw new HangoError("already_exists", `${what} exists already; nothing was changed.`);
  return rowOf(row);
}
