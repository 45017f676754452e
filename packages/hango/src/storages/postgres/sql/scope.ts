/** One namespace on one driver: what every operation of the storage runs in. */
import { HangoError } from "../../../errors.ts";
import type { CallOptions, FileInfo, Namespace } from "../../../storage.ts";
import type { Driver, Row, RunOptions, RunResult, Statement } from "../driver/driver.ts";
import { bind, type Sql, type SqlValues } from "./statement.ts";

export interface Scope {
  readonly driver: Driver;
  readonly namespace: Namespace;
}

/** Binds tenant, agent and the rest. */
export function inScope(scope: Scope, sql: Sql, values: SqlValues = {}): Statement {
  return bind(sql, { ...values, tenant: scope.namespace.tenantId, agent: scope.namespace.agentId });
}

/** Runs the statements as one transaction. */
export function run(scope: Scope, statements: readonly Statement[], options: CallOptions & Partial<RunOptions> = {}): Promise<RunResult> {
  const { signal, timeoutMs, settings, share } = options;
  return scope.driver.run(statements, {
    namespace: scope.namespace,
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(settings === undefined ? {} : { settings }),
    ...(share === undefined ? {} : { share }),
  });
}

/** More rows than a namespace has, and as many as a limit in SQL can say. */
export const MAX_ROWS = 2_147_483_647;

/** A limit for SQL; null is none. */
export function rowLimit(limit: number | undefined): number | null {
  return limit === undefined ? null : Math.min(limit, MAX_ROWS);
}

/** The rows of the last statement. */
export function lastRows(result: RunResult): readonly Row[] {
  return result.rows.at(-1) ?? [];
}

/** The one row of a statement that always answers with one. */
export function onlyRow([row]: readonly Row[]): Row {
  if (row === undefined) throw new HangoError("internal", "The database answered without the row that this statement always has.");
  return row;
}

/** The column's text, undefined for null. */
export function textOf(row: Row, column: string): string | undefined {
  const value = row[column];
  return value === null || value === undefined ? undefined : String(value);
}

/** The column's number, undefined for null; a bigint may arrive as text. */
export function numberOf(row: Row, column: string): number | undefined {
  const value = row[column];
  return value === null || value === undefined ? undefined : Number(value);
}

/** The column's list of texts, undefined for null. */
export function textsOf(row: Row, column: string): readonly string[] | undefined {
  const value = row[column];
  return Array.isArray(value) ? (value as readonly string[]) : undefined;
}

/** The column's time, undefined for null. */
export function dateOf(row: Row, column: string): Date | undefined {
  const value = row[column];
  return value === null || value === undefined ? undefined : value instanceof Date ? value : new Date(String(value));
}

/** The token of a row's id and version. */
export function versionOf(row: Row, columns: { readonly id: string; readonly version: string } = { id: "id", version: "version" }): string | undefined {
  const id = textOf(row, columns.id);
  return id === undefined ? undefined : `${id}.${textOf(row, columns.version) ?? ""}`;
}

/** The description in a row of `infoColumns`; the path as asked, or the row's own without its slash. */
export function infoOf(row: Row, path?: string): FileInfo {
  const [createdAt, updatedAt] = [dateOf(row, "created_at"), dateOf(row, "updated_at")];
  return {
    path: path ?? (textOf(row, "path") ?? "").slice(1),
    sizeBytes: numberOf(row, "size_bytes") ?? 0,
    contentType: textOf(row, "content_type") ?? "",
    version: versionOf(row) ?? "",
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
}
