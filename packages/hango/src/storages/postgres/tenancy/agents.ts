/** The agents of a tenant. */
import { HangoError } from "../../../errors.ts";
import { parseNamespace } from "../../../namespace/namespace.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { Namespace } from "../../../storage.ts";
import type { Driver, Row } from "../driver/driver.ts";
import { ERASE_TIMEOUT_MS, eraseStatements } from "../sql/erase.ts";
import { dateOf, inScope, lastRows, numberOf, run, type Scope, textOf } from "../sql/scope.ts";
import { type FixedSql, fixed } from "../sql/statement.ts";
import { owned } from "../sql/tables.ts";
import { treeLock } from "../sql/tree-lock.ts";
import { madeRow } from "./made-row.ts";
import { ofTenant, tenancyTablesOf } from "./tables.ts";
import { checkLabel, MAX_SUBJECT_CHARS, pageValues, tenantScope, uuidOrUndefined } from "./tenant-scope.ts";
import type { AgentRow, DirectoryPage, Principal } from "../../../tenancy.ts";

export interface NewAgent {
  /** Default: a new one. */
  readonly id?: string;
  readonly name: string;
  /** The subject of who made it; a member sees the agents of its own. */
  readonly createdBy: string;
}

const COLUMNS = "tenant_id, agent_id as id, name, created_by, created_at";

export const createAgentSql: FixedSql = fixed((schema) => {
  const { agents } = tenancyTablesOf(schema);
  return `with made as (insert into ${agents} (tenant_id, agent_id, name, created_by) values ($tenant::uuid, $agent::uuid, $name::text, $createdBy::text)
      on conflict (tenant_id, agent_id) do nothing returning ${COLUMNS})
    select *, true as made from made union all select ${COLUMNS}, false from ${agents} where ${owned()}`;
});

/** `$creator` is null for those who see every agent of the tenant. */
export const findAgentSql: FixedSql = fixed(
  (schema) => `select ${COLUMNS} from ${tenancyTablesOf(schema).agents} where ${owned()} and ($creator::text is null or created_by = $creator::text)`,
);

export const listAgentsSql: FixedSql = fixed(
  (schema) => `select ${COLUMNS} from ${tenancyTablesOf(schema).agents}
    where ${ofTenant()} and agent_id > $after::uuid and ($creator::text is null or created_by = $creator::text) order by agent_id limit $limit::int`,
);

export const deleteAgentSql: FixedSql = fixed((schema) => `delete from ${tenancyTablesOf(schema).agents} where ${owned()} returning agent_id`);

/** Errors: already_exists; invalid_argument for a tenant that does not exist. */
export async function createAgent(driver: Driver, tenantId: string, { id = uuidV7(), name, createdBy }: NewAgent): Promise<AgentRow> {
  const scope: Scope = { driver, namespace: parseNamespace({ tenantId, agentId: id }) };
  const values = { name: checkLabel(name, "An agent's name"), createdBy: checkLabel(createdBy, "createdBy", MAX_SUBJECT_CHARS) };
  const result = await run(scope, [inScope(scope, createAgentSql(driver.schema), values)]);
  return madeRow(lastRows(result), { attempts: result.attempts, what: `The agent ${scope.namespace.agentId}`, rowOf: agentOf });
}

/** Whose agents a principal sees: null is everybody's. */
export function creatorFor({ role, subject }: Principal): string | null {
  return role === "owner" || role === "admin" ? null : subject;
}

/** Undefined for an agent that is unknown, another tenant's, or not this member's; the same statement for each. */
export async function findAgent(driver: Driver, principal: Principal, agentId: string): Promise<AgentRow | undefined> {
  const tenant = uuidOrUndefined(principal.tenantId);
  const agent = uuidOrUndefined(agentId);
  if (tenant === undefined || agent === undefined) return undefined;
  const scope: Scope = { driver, namespace: { tenantId: tenant, agentId: agent } };
  return lastRows(await run(scope, [inScope(scope, findAgentSql(driver.schema), { creator: creatorFor(principal) })])).map(agentOf)[0];
}

/** What the principal sees, in order of ids. */
export async function listAgents(driver: Driver, principal: Principal, page: DirectoryPage): Promise<readonly AgentRow[]> {
  const values = { ...pageValues(page), creator: creatorFor(principal) };
  if (uuidOrUndefined(principal.tenantId) === undefined) return [];
  const scope = tenantScope(driver, principal.tenantId);
  return lastRows(await run(scope, [inScope(scope, listAgentsSql(driver.schema), values)])).map(agentOf);
}

const PAGE = 200;

/** Every agent of a tenant, page by page. */
export async function* listAllAgents(scope: Scope): AsyncGenerator<AgentRow> {
  const { tenantId } = scope.namespace;
  for (let after: string | undefined, whole = true; whole;) {
    const rows = await listAgents(scope.driver, { tenantId, subject: "", role: "owner" }, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield* rows;
    after = rows.at(-1)?.id;
    whole = rows.length === PAGE;
  }
}

export interface DeletedAgent {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Deletes an agent with its files, usage, sessions and record; undefined when it is not there. Files go before the agent's row, in
 * the one order of locks: a writer in the middle of its write would else wait for the row, and this for the writer.
 * Atomicity: one transaction.
 */
export async function removeAgent(driver: Driver, namespace: Namespace): Promise<DeletedAgent | undefined> {
  const scope: Scope = { driver, namespace: parseNamespace(namespace) };
  const lock = treeLock(scope);
  const { rows, attempts } = await run(scope, [...lock, ...eraseStatements(scope), inScope(scope, deleteAgentSql(driver.schema))], {
    timeoutMs: ERASE_TIMEOUT_MS,
  });
  if (rows.at(-1)?.length === 0 && attempts === 1) return undefined;
  const counts = rows[lock.length]?.[0] ?? {};
  return { files: numberOf(counts, "files") ?? 0, bytes: numberOf(counts, "bytes") ?? 0 };
}

/** The same for one that must be there. Errors: not_found. */
export async function deleteAgent(driver: Driver, namespace: Namespace): Promise<DeletedAgent> {
  const gone = await removeAgent(driver, namespace);
  if (gone === undefined) throw new HangoError("not_found", `There is no agent ${namespace.agentId} in the tenant ${namespace.tenantId}.`);
  return gone;
}

function agentOf(row: Row): AgentRow {
  return {
    tenantId: textOf(row, "tenant_id") ?? "",
    id: textOf(row, "id") ?? "",
    name: textOf(row, "name") ?? "",
    createdBy: textOf(row, "created_by") ?? "",
    createdAt: dateOf(row, "created_at") ?? new Date(Number.NaN),
  };
}
