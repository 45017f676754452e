/** Who did it, as values of an event's row. */
import type { CallOptions } from "../../../storage.ts";
import type { SqlValues } from "./statement.ts";
import { tablesOf } from "./tables.ts";

/** Without an origin it is the owner's own hand: the storage used directly, recorded as the operator. */
export function originValues({ origin }: CallOptions): SqlValues {
  return {
    actor: origin?.actor ?? "operator",
    principal: storable(origin?.principal),
    session: storable(origin?.sessionId),
    tool: storable(origin?.tool),
    call: storable(origin?.toolCallId),
  };
}

/** Text that others made, such as a model's call id, as a column takes it: what is odd in it must not fail the change that it describes. */
export function storable(text: string | undefined): string | null {
  return typeof text === "string" ? text.replaceAll("\0", "\u2400").toWellFormed() : (text ?? null);
}

export interface EventColumns {
  readonly id: string;
  readonly action: string;
  readonly outcome: string;
  readonly path: string;
  readonly version: string;
  readonly previous: string;
  readonly size: string;
  readonly reason?: string;
  /** FROM and what follows; empty for one row of values. */
  readonly source: string;
}

/** The insert of events, to stand in the statement that makes the change, so that both happen or neither. */
export function insertEvents(schema: string, { id, action, outcome, path, version, previous, size, reason = "null", source }: EventColumns): string {
  return `insert into ${tablesOf(schema).events} (tenant_id, id, agent_id, action, outcome, path, version, previous_version, size_bytes,
      actor, principal, session_id, tool, tool_call_id, reason, at)
    select $tenant::uuid, ${id}, $agent::uuid, ${action}, ${outcome}, ${path}, ${version}, ${previous}, ${size},
      $actor::text, $principal::text, $session::text, $tool::text, $call::text, ${reason}, now() ${source}`;
}
