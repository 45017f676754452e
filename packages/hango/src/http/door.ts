/** What every route of the files app works with: the parts it was given, and who is asking about which agent. */
import { HangoError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { isUuid } from "../path/uuid.ts";
import { openSession } from "../session/session.ts";
import type { Session } from "../session/vocabulary.ts";
import type { Namespace, Origin, ScopedStorage, Version } from "../storage.ts";
import type { AgentDirectory, AgentRow, AgentSessionRow, AuditLog, Authenticate, Principal, SignIn } from "../tenancy.ts";
import type { Rate } from "./rate.ts";
import type { Sending, SendLimits } from "./sending.ts";
import type { Target } from "./target.ts";

export interface AgentUsage {
  readonly files: number;
  readonly bytes: number;
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

/** Units: milliseconds for what ends in Ms, bytes for `maxSendBytes` and `maxSendBytesEach`, streams for the others. */
export interface StreamLimits extends SendLimits {
  /** Open event streams of the whole process, and of one person. */
  readonly maxStreams: number;
  readonly maxStreamsEach: number;
  /** A comment is sent this often, and the caller's rights are looked up again. */
  readonly heartbeatMs: number;
  /** How often the record is asked, where it can't wait by itself. */
  readonly pollMs: number;
}

export interface Door {
  readonly authenticate: Authenticate;
  readonly agents: AgentDirectory;
  readonly storage: ScopedStorage<Namespace>;
  readonly limits: Limits;
  readonly streams: StreamLimits;
  readonly audit: AuditLog | undefined;
  readonly signIn: SignIn | undefined;
  readonly secureCookie: boolean | undefined;
  readonly usage: ((agent: AgentRow) => Promise<AgentUsage | undefined>) | undefined;
  readonly versionNumber: ((version: Version) => number | undefined) | undefined;
  /** Rows that people leave behind without changing a file: refused changes on record, and sign-ins. */
  readonly rates: { readonly refusals: Rate; readonly signIns: Rate };
  readonly observe: ((session: Session, agent: AgentRow) => Session) | undefined;
  readonly sending: Sending;
  /** Aborted when the app closes. */
  readonly closing: AbortSignal;
}

export interface Call {
  readonly request: Request;
  readonly target: Target;
}

export interface SignedCall extends Call {
  readonly principal: Principal;
}

export interface AgentCall extends SignedCall {
  readonly agent: AgentRow;
}

/** Who is asking: a key in a header, then the sign-in cookie, then whatever else the host's own check knows. */
export async function principalOf(door: Door, request: Request): Promise<Principal | undefined> {
  const token = door.signIn === undefined || request.headers.has("authorization") ? undefined : cookieToken(door, request);
  const principal = token === undefined ? await door.authenticate(request) : await door.signIn?.find(token);
  if (principal !== undefined) checkPrincipal(principal);
  return principal;
}

const COOKIE = "hango_sign_in";
/** A browser takes a cookie of such a name over TLS alone and only from this very host: no sibling's page can plant one. */
const SECURE_COOKIE = `__Host-${COOKIE}`;

/** Whether the cookie is marked secure: as the host says, else as the request came. */
export function isSecure({ secureCookie }: Pick<Door, "secureCookie">, request?: Request): boolean {
  return secureCookie ?? (request !== undefined && new URL(request.url).protocol === "https:");
}

/** The name of the sign-in cookie; without a request, of the one that is documented. */
export function cookieName(door: Pick<Door, "secureCookie">, request?: Request): string {
  return isSecure(door, request) ? SECURE_COOKIE : COOKIE;
}

/** The sign-in token that a request carries. */
export function cookieToken(door: Pick<Door, "secureCookie">, request: Request): string | undefined {
  const name = cookieName(door, request);
  const found = (request.headers.get("cookie") ?? "").split(";").map((part) => part.trim());
  const token = found.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
  return token !== undefined && /^[A-Za-z0-9._~-]{1,512}$/.test(token) ? token : undefined;
}

/** A wrong answer of the host's own code must stop here, not widen anyone's rights. */
function checkPrincipal({ tenantId, subject, role }: Principal): void {
  const roles: readonly unknown[] = ["owner", "admin", "member"];
  if (typeof subject === "string" && subject !== "" && roles.includes(role) && isUuid(tenantId)) return;
  throw new HangoError("internal", "authenticate must answer { tenantId: a UUID, subject: a name, role: owner, admin or member }.");
}

/** The agent as this principal may see it: undefined for unknown, foreign, invisible and malformed alike. */
export async function agentFor(door: Door, principal: Principal, agentId: string): Promise<AgentRow | undefined> {
  if (!isUuid(agentId)) return undefined;
  const agent = await door.agents.find(principal, agentId.toLowerCase());
  // The directory answers for its own scope; a row of another tenant or agent is a fault there and stays one without effect.
  const isAsked = agent?.tenantId.toLowerCase() === principal.tenantId.toLowerCase() && agent.id.toLowerCase() === agentId.toLowerCase();
  return isAsked ? agent : undefined;
}

/** May this person look into a session's own files: owner, admin, or whoever made the session. Errors: not_found, one text for unknown and foreign. */
export async function sessionFor(door: Door, call: AgentCall, sessionId: string | undefined): Promise<AgentSessionRow | undefined> {
  if (sessionId === undefined) return undefined;
  const row = await findSession(door, call, sessionId);
  if (row === undefined) throw new HangoError("not_found", "No such session of this agent, or not yours to see.");
  return row;
}

/** The session as this principal may see it: undefined for unknown, foreign, invisible and malformed alike. */
export async function findSession(door: Door, call: AgentCall, sessionId: string): Promise<AgentSessionRow | undefined> {
  const row = isUuid(sessionId) ? await door.agents.session(call.principal, call.agent, sessionId.toLowerCase()) : undefined;
  return row !== undefined && maySeeSession(call, row) ? row : undefined;
}

export function maySeeSession({ principal, agent }: Pick<AgentCall, "principal" | "agent">, row: AgentSessionRow): boolean {
  return row.agentId === agent.id && (isManager(principal) || row.createdBy === principal.subject);
}

export function isManager({ role }: Principal): boolean {
  return role === "owner" || role === "admin";
}

/** The agent's files as this person sees them. The namespace comes from the row that was looked up, never from the URL. */
export async function openFiles(door: Door, call: AgentCall, sessionId: string | undefined): Promise<Session> {
  const session = await sessionFor(door, call, sessionId);
  try {
    const opened = openSession({
      storage: door.storage.scope({ tenantId: call.agent.tenantId, agentId: call.agent.id }),
      actor: "operator",
      principal: call.principal.subject,
      limits: door.limits,
      ...(session === undefined ? {} : { sessionId: session.id }),
    });
    return door.observe === undefined ? opened : door.observe(opened, call.agent);
  } catch (cause) {
    // Nothing of it came from the client: what the host's own parts gave does not fit.
    throw new HangoError("internal", "The files of the agent could not be opened.", { cause });
  }
}

export function originOf({ principal }: SignedCall): Origin {
  return { actor: "operator", principal: principal.subject };
}
