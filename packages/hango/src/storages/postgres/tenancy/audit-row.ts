/** One row of the record, of whichever agent of a tenant. */
import { HangoError } from "../../../errors.ts";
import type { FileEvent, Origin } from "../../../storage.ts";
import type { Row } from "../driver/driver.ts";
import { dateOf, numberOf, textOf } from "../sql/scope.ts";

/** `path` is absolute. */
export interface AuditRow extends FileEvent {
  /** Time-ordered. */
  readonly id: string;
  readonly agentId: string;
  readonly at: Date;
  readonly actor: Origin["actor"];
  readonly principal?: string;
  readonly sessionId?: string;
  readonly tool?: string;
  readonly toolCallId?: string;
}

export const AUDIT_COLUMNS =
  "e.id, e.agent_id, e.at, e.action, e.outcome, e.path, e.version, e.previous_version, e.size_bytes, e.reason, e.actor, e.principal, e.session_id, e.tool, e.tool_call_id";

/** Errors: internal for a row without a time. */
export function auditRowOf(row: Row): AuditRow {
  const at = dateOf(row, "at");
  if (at === undefined) throw new HangoError("internal", "The database answered with an event that has no time.", { op: "audit" });
  const optional = {
    version: textOf(row, "version"),
    previousVersion: textOf(row, "previous_version"),
    sizeBytes: numberOf(row, "size_bytes"),
    reason: textOf(row, "reason"),
    principal: textOf(row, "principal"),
    sessionId: textOf(row, "session_id"),
    tool: textOf(row, "tool"),
    toolCallId: textOf(row, "tool_call_id"),
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<AuditRow>;
  return {
    id: textOf(row, "id") ?? "",
    agentId: textOf(row, "agent_id") ?? "",
    at,
    action: (textOf(row, "action") ?? "") as FileEvent["action"],
    outcome: (textOf(row, "outcome") ?? "") as FileEvent["outcome"],
    path: textOf(row, "path") ?? "",
    actor: (textOf(row, "actor") ?? "") as Origin["actor"],
    ...present,
  };
}
