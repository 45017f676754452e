/** One row of the record, of whichever agent of a tenant. */
import type { AuditRow } from "../../../tenancy.ts";
import type { Row } from "../driver/driver.ts";
import { eventOf } from "../sql/record.ts";
import { textOf } from "../sql/scope.ts";

export const AUDIT_COLUMNS =
  "e.id, e.agent_id, e.at, e.action, e.outcome, e.path, e.version, e.previous_version, e.size_bytes, e.reason, e.actor, e.principal, e.session_id, e.tool, e.tool_call_id";

/** Errors: internal for a row without a time. */
export function auditRowOf(row: Row): AuditRow {
  return { ...eventOf(row), agentId: textOf(row, "agent_id") ?? "" };
}
