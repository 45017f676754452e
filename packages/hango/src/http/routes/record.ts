/** The record, read two ways: an agent's events (backwards, or as they come) and a tenant's audit. */
import { z } from "zod";
import { HangoError } from "../../errors.ts";
import { isShown } from "../../path/filter.ts";
import { parseAgentPath } from "../../path/path.ts";
import { sessionFilter } from "../../path/reserved.ts";
import { isUuid } from "../../path/uuid.ts";
import type { AuditLog, AuditQuery, AuditRow } from "../../tenancy.ts";
import { callerKey } from "../caller-key.ts";
import { agentFor, findSession, isManager, principalOf, sessionFor, type AgentCall, type Door, type SignedCall } from "../door.ts";
import { createSeats, eventStream, pause } from "../event-stream.ts";
import { httpRefusal } from "../problem.ts";
import { jsonResponse, pageOf, readQuery, sessionParam, wholeParam, type Route } from "../route.ts";

const MAX_ROWS = 500;
const DEFAULT_ROWS = 100;
/** Rows sent at a time. */
const STREAM_ROWS = 100;

const id = z.string().refine(isUuid, "must be the id of an event");
const outcome = z.enum(["ok", "denied", "failed"], "must be ok, denied or failed");
const action = z.enum(["file.write", "file.delete"], "must be file.write or file.delete");
/** Years of four digits, in UTC as well: others have a form of their own, which not every store can read. */
const time = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-01-31T12:00:00Z" })
  .transform((text) => new Date(text))
  .refine((at) => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999, "must be a time of the years 1 to 9999");
const limit = wholeParam({ least: 1, most: MAX_ROWS }).optional();

const eventsQuery = z.object({
  before: id.optional(),
  path: z.string().optional(),
  action: action.optional(),
  outcome: outcome.optional(),
  limit,
  last_event_id: id.optional(),
  session_id: sessionParam,
});

const auditQuery = z.object({
  before: id.optional(),
  agent_id: z.string().refine(isUuid, "must be the id of an agent").optional(),
  session_id: z.string().refine(isUuid, "must be the id of a session").optional(),
  actor: z.enum(["agent", "operator", "system"], "must be agent, operator or system").optional(),
  principal: z.string().max(512).optional(),
  action: action.optional(),
  outcome: outcome.optional(),
  path: z.string().optional(),
  from: time.optional(),
  to: time.optional(),
  limit,
});

export function recordRoutes(door: Door, log: AuditLog): readonly Route[] {
  const seats = createSeats(door.streams);

  async function events(call: AgentCall): Promise<Response> {
    const { session_id, limit: rows = DEFAULT_ROWS, path, last_event_id, ...rest } = readQuery(call, eventsQuery);
    const session = await sessionFor(door, call, session_id);
    const view = { filters: [sessionFilter(session?.id)], ...(session === undefined ? {} : { sessionId: session.id }) };
    if (wantsStream(call.request)) return stream(call, view, last_event_id);
    if (last_event_id !== undefined) throw new HangoError("invalid_argument", "last_event_id is for an event stream; go backwards with before.");
    const query = { ...given(rest), ...view, agentId: call.agent.id, ...pathOf(path), limit: rows + 1, signal: call.request.signal };
    return page(await log.list(call.agent.tenantId, query as AuditQuery), rows, view.filters);
  }

  async function stream(call: AgentCall, view: Pick<AuditQuery, "filters" | "sessionId">, since: string | undefined): Promise<Response> {
    const { agent, principal, request } = call;
    const header = request.headers.get("last-event-id");
    if (header !== null && !isUuid(header)) throw new HangoError("invalid_argument", "Last-Event-ID must be the id of an event.");
    const after = header ?? since ?? (await log.cursor(agent, request.signal));
    const release = seats.take(callerKey(principal));
    if (release === undefined) throw httpRefusal(429, "too_many_requests", "Too many event streams are open. Close one, or read the events page by page.");
    const body = eventStream(
      {
        // Every row, shown or not: a cursor that stood still on hidden rows would have them all read again at each look.
        next: (from, signal) => log.after(agent, { after: from, limit: STREAM_ROWS, signal }),
        wait: (timeoutMs, signal) => log.wait?.(agent, { timeoutMs, signal }) ?? pause(timeoutMs, signal),
        mayGoOn: () => stillAllowed(call, view.sessionId),
        show: (row) => (isVisible(row, view.filters) && (view.sessionId === undefined || row.sessionId === view.sessionId) ? shownRow(row) : undefined),
      },
      { after, limits: door.streams, signal: AbortSignal.any([request.signal, door.closing]), onEnd: release },
    );
    const headers = {
      "content-type": "text/event-stream",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "x-accel-buffering": "no",
    };
    return new Response(body, { headers });
  }

  /** A key that was revoked, another role, or an agent or session that went, ends the stream. */
  async function stillAllowed({ request, target, principal, agent }: AgentCall, sessionId: string | undefined): Promise<boolean> {
    const now = await principalOf(door, request);
    if (now === undefined || now.tenantId !== principal.tenantId || now.subject !== principal.subject || now.role !== principal.role) return false;
    const found = await agentFor(door, now, agent.id);
    if (found === undefined) return false;
    return sessionId === undefined || (await findSession(door, { request, target, principal: now, agent: found }, sessionId)) !== undefined;
  }

  async function audit(call: SignedCall): Promise<Response> {
    if (!isManager(call.principal)) throw new HangoError("forbidden", "The audit is for owners and admins.");
    const { agent_id, session_id, limit: rows = DEFAULT_ROWS, path, ...rest } = readQuery(call, auditQuery);
    const query = {
      ...given(rest),
      ...pathOf(path),
      ...(agent_id === undefined ? {} : { agentId: agent_id.toLowerCase() }),
      ...(session_id === undefined ? {} : { sessionId: session_id.toLowerCase() }),
      limit: rows + 1,
      signal: call.request.signal,
    };
    return page(await log.list(call.principal.tenantId, query as AuditQuery), rows, undefined);
  }

  return [
    {
      method: "get",
      path: "/v1/agents/{id}/events",
      needs: "agent",
      summary: "What happened to the agent's files, newest first; with Accept: text/event-stream, as it happens",
      query: eventsQuery,
      produces: ["application/json", "text/event-stream"],
      headers: { "Last-Event-ID": "Where a stream goes on" },
      answers: {
        200: "A page of events, `next` is the `before` of the next one; or a stream that Last-Event-ID resumes",
        429: "Too many streams, or searches",
      },
      handle: events,
    },
    {
      method: "get",
      path: "/v1/audit",
      needs: "principal",
      summary: "The record of the tenant, newest first",
      query: auditQuery,
      answers: {
        200: "A page of rows; `next` is the `before` of the next one",
        403: "For owners and admins",
        429: "Too many searches at once",
        504: "The search took too long",
      },
      handle: audit,
    },
  ];
}

/** A HEAD has no body that anyone would read to its end, so it opens none. */
function wantsStream(request: Request): boolean {
  return request.method === "GET" && (request.headers.get("accept") ?? "").includes("text/event-stream");
}

function page(rows: readonly AuditRow[], limit: number, filters: AuditQuery["filters"]): Response {
  const { rows: kept, next } = pageOf(rows, limit, (row) => row.id);
  return jsonResponse({ events: kept.filter((row) => isVisible(row, filters)).map(shownRow), ...(next === undefined ? {} : { next }) });
}

/** The log filters in its own query; this is the second look, so that a log that forgets shows nothing it must not. */
function isVisible({ path }: AuditRow, filters: AuditQuery["filters"]): boolean {
  return isShown(path.slice(1), filters);
}

/** Only the fields that a row is known to have. */
function shownRow(row: AuditRow): Readonly<Record<string, unknown>> {
  const { id, at, agentId, action, outcome, path, version, previousVersion, sizeBytes, actor, principal, sessionId, tool, toolCallId, reason } = row;
  return { id, at, agentId, action, outcome, path, version, previousVersion, sizeBytes, actor, principal, sessionId, tool, toolCallId, reason };
}

function pathOf(path: string | undefined): { readonly path?: string } {
  return path === undefined ? {} : { path: parseAgentPath(path) };
}

/** Without what was not asked for. */
function given(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
