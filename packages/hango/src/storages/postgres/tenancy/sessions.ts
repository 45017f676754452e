/** The sessions of an agent: which runs there were, and who may see one's machine files. */
import { parseNamespace } from "../../../namespace/namespace.ts";
import { parseUuid, uuidV7 } from "../../../path/uuid.ts";
import type { Namespace } from "../../../storage.ts";
import type { Driver, Row } from "../driver/driver.ts";
import { dateOf, inScope, lastRows, run, type Scope, textOf } from "../sql/scope.ts";
import { type FixedSql, fixed } from "../sql/statement.ts";
import { owned } from "../sql/tables.ts";
import { madeRow } from "./made-row.ts";
import { tenancyTablesOf } from "./tables.ts";
import { checkLabel, MAX_SUBJECT_CHARS, pageValues, uuidOrUndefined } from "./tenant-scope.ts";
import type { AgentSessionRow, DirectoryPage } from "../../../tenancy.ts";

export interface NewSession {
  /** Default: a new one. */
  readonly id?: string;
  readonly name?: string;
  /** The subject of who started it. */
  readonly createdBy: string;
}

const COLUMNS = "session_id as id, agent_id, name, created_by, created_at";

export const createSessionSql: FixedSql = fixed((schema) => {
  const { sessions } = tenancyTablesOf(schema);
  return `with made as (insert into ${sessions} (tenant_id, agent_id, session_id, name, created_by)
      values ($tenant::uuid, $agent::uuid, $session::uuid, $name::text, $createdBy::text)
      on conflict (tenant_id, agent_id, session_id) do nothing returning ${COLUMNS})
    select *, true as made from made union all select ${COLUMNS}, false from ${sessions} where ${owned()} and session_id = $session::uuid`;
});

/** `$creator` is null for those who see every session of the agent. */
const MADE_BY = "($creator::text is null or created_by = $creator::text)";

export const findSessionSql: FixedSql = fixed(
  (schema) => `select ${COLUMNS} from ${tenancyTablesOf(schema).sessions} where ${owned()} and session_id = $session::uuid and ${MADE_BY}`,
);

/** Before the limit: else the last row of a page, and with it the next page's start, could be one that the reader must not know of. */
export const listSessionsSql: FixedSql = fixed(
  (schema) => `select ${COLUMNS} from ${tenancyTablesOf(schema).sessions}
    where ${owned()} and session_id > $after::uuid and ${MADE_BY} order by session_id limit $limit::int`,
);

export const deleteSessionSql: FixedSql = fixed(
  (schema) => `delete from ${tenancyTablesOf(schema).sessions} where ${owned()} and session_id = $session::uuid returning session_id`,
);

/** Errors: already_exists; invalid_argument for an agent that does not exist. */
export async function createSession(driver: Driver, namespace: Namespace, { id = uuidV7(), name, createdBy }: NewSession): Promise<AgentSessionRow> {
  const scope: Scope = { driver, namespace: parseNamespace(namespace) };
  const session = parseUuid(id, "A session's id");
  const values = {
    session,
    name: name === undefined ? null : checkLabel(name, "A session's name"),
    createdBy: checkLabel(createdBy, "createdBy", MAX_SUBJECT_CHARS),
  };
  const result = await run(scope, [inScope(scope, createSessionSql(driver.schema), values)]);
  return madeRow(lastRows(result), { attempts: result.attempts, what: `The session ${session}`, rowOf: sessionOf });
}

/** Undefined for one that is unknown, and for one that `creator`, where given, did not make. */
export async function findSession(driver: Driver, namespace: Namespace, sessionId: string, creator: string | null): Promise<AgentSessionRow | undefined> {
  const session = uuidOrUndefined(sessionId);
  if (session === undefined) return undefined;
  const scope: Scope = { driver, namespace: parseNamespace(namespace) };
  return lastRows(await run(scope, [inScope(scope, findSessionSql(driver.schema), { session, creator })])).map(sessionOf)[0];
}

/** Those that `creator`, where given, made; in order of ids, which is that of time for ids made here. */
export async function listSessions(driver: Driver, namespace: Namespace, page: DirectoryPage, creator: string | null): Promise<readonly AgentSessionRow[]> {
  const scope: Scope = { driver, namespace: parseNamespace(namespace) };
  return lastRows(await run(scope, [inScope(scope, listSessionsSql(driver.schema), { ...pageValues(page), creator })])).map(sessionOf);
}

/** Forgets a session; its machine files stay until they are pruned. Answers false when there was none. */
export async function deleteSession(driver: Driver, namespace: Namespace, sessionId: string): Promise<boolean> {
  const scope: Scope = { driver, namespace: parseNamespace(namespace) };
  const result = await run(scope, [inScope(scope, deleteSessionSql(driver.schema), { session: parseUuid(sessionId, "A session's id") })]);
  return lastRows(result).length > 0 || result.attempts > 1;
}

function sessionOf(row: Row): AgentSessionRow {
  const name = textOf(row, "name");
  return {
    id: textOf(row, "id") ?? "",
    agentId: textOf(row, "agent_id") ?? "",
    createdBy: textOf(row, "created_by") ?? "",
    createdAt: dateOf(row, "created_at") ?? new Date(Number.NaN),
    ...(name === undefined ? {} : { name }),
  };
}
