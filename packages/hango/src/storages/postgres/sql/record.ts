/** The record of what was done and refused: one row an event, never content. */
import { HangoError, isHangoError, shownPath } from "../../../errors.ts";
import { parseUuid, uuidV7 } from "../../../path/uuid.ts";
import type { CallOptions, FileEvent, Origin } from "../../../storage.ts";
import type { RecordedEvent } from "../../../tenancy.ts";
import { checkOptions } from "../database-options.ts";
import type { Row } from "../driver/driver.ts";
import { insertEvents, originValues, storable } from "./origin.ts";
import { dateOf, inScope, lastRows, numberOf, run, type Scope, textOf } from "./scope.ts";
import { type FixedSql, fixed } from "./statement.ts";
import { owned, tablesOf } from "./tables.ts";

export interface EventsOptions {
  /** Default 100. */
  readonly limit?: number;
  /** The id of the last event of the page before. */
  readonly after?: string;
}

const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 1_000;

/** Ids are made in the app, so a repeated insert finds itself. */
export const recordSql: FixedSql = fixed((schema) => {
  const event = insertEvents(schema, {
    id: "$event::uuid",
    action: "$action::text",
    outcome: "$outcome::text",
    path: "$path::text",
    version: "$version::text",
    previous: "$previous::text",
    size: "$size::int",
    reason: "$reason::text",
    source: "",
  });
  return `${event} on conflict (tenant_id, id) do nothing`;
});

/** Ids are ordered by time, so the key gives newest first. */
export const eventsSql: FixedSql = fixed(
  (schema) => `select id, at, action, outcome, path, version, previous_version, size_bytes, reason, actor, principal, session_id, tool, tool_call_id
    from ${tablesOf(schema).events} where ${owned()} and id < $after::uuid order by id desc limit $limit::int`,
);

export const recordedSql: FixedSql = fixed(
  (schema) => `select id, version, size_bytes, at from ${tablesOf(schema).events} where ${owned()} and id = any($events::uuid[])`,
);

/** Keeps one event in a transaction of its own. Errors: unavailable when it can't be kept. */
export async function recordEvent(scope: Scope, event: FileEvent, options: CallOptions = {}): Promise<void> {
  const values = {
    ...originValues(options),
    event: uuidV7(),
    action: event.action,
    outcome: event.outcome,
    path: shownPath(event.path),
    version: event.version ?? null,
    previous: event.previousVersion ?? null,
    size: event.sizeBytes ?? null,
    reason: storable(event.reason),
  };
  try {
    await run(scope, [inScope(scope, recordSql(scope.driver.schema), values)], options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isHangoError(error, "unavailable")) throw error;
    throw new HangoError("unavailable", "What was done could not be recorded, so it was not done. Retry in a moment.", {
      op: "record",
      path: shownPath(event.path),
      cause: error,
    });
  }
}

/** Newest first. Limits: at most 1000 a call. */
export async function eventsOf(scope: Scope, options: EventsOptions = {}): Promise<readonly RecordedEvent[]> {
  checkOptions("events", options, ["limit", "after"]);
  const { limit = DEFAULT_EVENTS, after = "ffffffff-ffff-ffff-ffff-ffffffffffff" } = options;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new HangoError("invalid_argument", "limit must be a whole number of at least 0.");
  const statement = inScope(scope, eventsSql(scope.driver.schema), {
    after: parseUuid(after, "after, the id of an event,"),
    limit: Math.min(limit, MAX_EVENTS),
  });
  return lastRows(await run(scope, [statement])).map(eventOf);
}

/** Reads a kept row. Errors: internal for one without a time. */
export function eventOf(row: Row): RecordedEvent {
  const at = dateOf(row, "at");
  if (at === undefined) throw new HangoError("internal", "The database answered with an event that has no time.", { op: "events" });
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
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<RecordedEvent>;
  return {
    id: textOf(row, "id") ?? "",
    at,
    action: (textOf(row, "action") ?? "") as FileEvent["action"],
    outcome: (textOf(row, "outcome") ?? "") as FileEvent["outcome"],
    path: textOf(row, "path") ?? "",
    actor: (textOf(row, "actor") ?? "operator") as Origin["actor"],
    ...present,
  };
}

/** The kept rows of these events by id. */
export async function recordedRows(scope: Scope, events: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const rows = lastRows(await run(scope, [inScope(scope, recordedSql(scope.driver.schema), { events })]));
  return new Map(rows.map((row) => [textOf(row, "id") ?? "", row]));
}
