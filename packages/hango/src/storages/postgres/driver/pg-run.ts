/** One attempt on one connection: every message in one flush, the first error reported, the tag of COMMIT read. */
import { createHash } from "node:crypto";
import pg from "pg";
import type { Row, Statement } from "./driver.ts";
import { copyIn } from "./pg-copy.ts";
import type { PoolClient, QueryAnswer, QueryConfig } from "./pg-pool.ts";
import { parsers } from "./values.ts";

/** A server keeps each named statement for the life of the connection, so their number is bounded; later texts go unnamed. */
const MAX_NAMED = 500;

/** READ COMMITTED by name: the statement after a lock must see what was committed while it waited. */
export const BEGIN = "begin isolation level read committed";

const types = {
  getTypeParser: (oid: number, format?: string): ((text: string) => unknown) =>
    parsers[oid] ?? (pg.types.getTypeParser(oid, format as "text") as (text: string) => unknown),
};

/** A query and, for a COPY, what it takes in. */
export interface Query extends QueryConfig {
  readonly copy?: Uint8Array;
}

export type QueryMaker = (statement: Statement) => Query;

/** Makes the function that names statements. Names are short: Postgres cuts at 63 bytes without a word. */
export function createQueryMaker(named: boolean): QueryMaker {
  const names = new Map<string, string>();
  return ({ text, values, copy }) => {
    if (copy !== undefined) return { text, copy };
    let name = names.get(text);
    if (name === undefined && named && names.size < MAX_NAMED) {
      name = `h_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
      names.set(text, name);
    }
    return { text, values, types, ...(name === undefined ? {} : { name }) };
  };
}

export interface Plan {
  readonly statements: readonly Statement[];
  /** Transaction-local settings; with it, or with more than one statement, there is a transaction. */
  readonly settings: ReadonlyMap<string, string>;
}

/** The statement that sets them all, transaction-locally: a session-wide setting would leak to the connection's next borrower. */
export function settingsStatement(settings: ReadonlyMap<string, string>): Statement {
  const calls = [...settings.keys()].map((_, at) => `set_config($${at * 2 + 1}, $${at * 2 + 2}, true)`);
  return { text: `select ${calls.join(", ")}`, values: [...settings].flat() };
}

/** Thrown when COMMIT answered ROLLBACK although no statement failed. */
export class RolledBackError extends Error {}

/**
 * Thrown when BEGIN was refused, as some poolers do without closing: each statement that left with it then ran, or not, by
 * itself and without the settings, so nothing may be concluded from their answers.
 */
export class NotBegunError extends Error {}

/** Thrown when COMMIT itself was refused, by a cancel that met it, say: the cause says what happened, and the connection may still be inside the failed transaction. */
export class NotEndedError extends Error {}

/** Runs the plan. Errors: the first error of the flush, as it came. */
export async function runPlan(client: PoolClient, plan: Plan, makeQuery: QueryMaker): Promise<readonly (readonly Row[])[]> {
  const transaction = plan.settings.size > 0 || plan.statements.length > 1;
  const prelude = plan.settings.size > 0 ? [settingsStatement(plan.settings)] : [];
  const queries = [...prelude, ...plan.statements].map(makeQuery);
  const settled = await settleAll(client, transaction ? [{ text: BEGIN }, ...queries, { text: "commit" }] : queries);
  const [begun] = settled;
  if (transaction && begun?.status === "rejected") throw new NotBegunError("BEGIN was refused", { cause: begun.reason });
  const failures = settled.filter((result) => result.status === "rejected").map((result): unknown => result.reason);
  if (transaction && settled.at(-1)?.status === "rejected") throw new NotEndedError("COMMIT was refused", { cause: failures[0] });
  if (failures.length > 0) throw failures[0];
  const answers = settled.filter((result) => result.status === "fulfilled").map((result) => result.value);
  // COMMIT of a failed transaction succeeds, with another tag.
  if (transaction && answers.at(-1)?.command !== "COMMIT") throw new RolledBackError(`COMMIT answered ${answers.at(-1)?.command ?? "nothing"}`);
  const first = transaction ? 1 + prelude.length : 0;
  return answers.slice(first, first + plan.statements.length).map((answer) => answer.rows);
}

/**
 * All at once on a pipelined client, up to each COPY: while the server takes one in, it reads nothing else.
 * A user's pool without `pipeline: true` gets them one by one: as correct, only slower.
 */
export async function settleAll(client: PoolClient, queries: readonly Query[]): Promise<readonly PromiseSettledResult<QueryAnswer>[]> {
  const settled: PromiseSettledResult<QueryAnswer>[] = [];
  while (settled.length < queries.length) {
    const copy = queries.findIndex((query, at) => at >= settled.length && query.copy !== undefined);
    const end = client.pipeline !== true ? settled.length + 1 : copy < 0 ? queries.length : copy + 1;
    settled.push(...(await Promise.allSettled(queries.slice(settled.length, end).map((query) => send(client, query)))));
    if (settled[0]?.status === "rejected") break;
  }
  return settled;
}

function send(client: PoolClient, query: Query): Promise<QueryAnswer> {
  return query.copy === undefined ? client.query(query) : copyIn(client, query.text, query.copy);
}
