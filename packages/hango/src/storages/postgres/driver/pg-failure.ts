/** What is said of a connection that can't be had, and of a server that does not answer. */
import { HangoError, isHangoError } from "../../../errors.ts";
import { failureOf, fromSqlError, isSqlError, OUTCOME_UNKNOWN } from "../errors.ts";
import { RUN_DEADLINE_MS } from "./deadline.ts";

/** No connection, so nothing was sent. */
export class ConnectFailure extends Error {
  readonly failure: "retry" | "final";
  readonly shown: HangoError;
  constructor(cause: unknown) {
    super("no connection", { cause });
    this.failure = isHangoError(cause) || (isSqlError(cause) && failureOf(cause) === "final") ? "final" : "retry";
    const said = isHangoError(cause) || isSqlError(cause) ? fromSqlError(cause) : undefined;
    // A refusal without a rule of its own is about the connection: no statement was sent that could be at fault.
    this.shown =
      said !== undefined && said.code !== "internal" ? said : new HangoError("unavailable", "The database can't be reached; retry in a moment.", { cause });
  }
}

export function late(timeoutMs: number | undefined): HangoError {
  if (timeoutMs !== undefined) return new HangoError("timeout", `The call ran over its ${timeoutMs} ms.`);
  return new HangoError("unavailable", `The database did not answer within ${RUN_DEADLINE_MS / 1000} s. ${OUTCOME_UNKNOWN}`);
}
