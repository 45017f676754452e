/** Opens the tables of a server for the commands that manage them. */
import { type Command, Option } from "commander";
import type { Database, Tenancy } from "hango/postgres";
import { closing } from "./interrupt.ts";
import { checkExists, type DatabaseCommandOptions, idOf, withDatabaseOptions } from "./store.ts";

/** What withTenancyOptions adds to a command. */
export interface TenancyOptions extends DatabaseCommandOptions {
  readonly json?: boolean;
}

/** What withTenantOptions adds to a command. */
export interface TenantOptions extends TenancyOptions {
  readonly tenant: string;
}

/** Adds `--db --schema --json`. */
export function withTenancyOptions(command: Command): Command {
  return withDatabaseOptions(command).option("--json", "print JSON");
}

/** Adds `--db --schema --json --tenant`. */
export function withTenantOptions(command: Command): Command {
  return withTenancyOptions(command).addOption(new Option("--tenant <id>", "the tenant: a name or a UUID").env("HANGO_TENANT").default("default"));
}

/** Adds the same and `--agent`. */
export function withAgentOptions(command: Command): Command {
  return withTenantOptions(command).addOption(new Option("--agent <id>", "the agent: a name or a UUID").env("HANGO_AGENT").default("default"));
}

interface UseOptions {
  /** For a command that makes something: a pglite directory is made as well. */
  readonly creates?: boolean;
}

/** Opens, uses and closes. Errors: not_found without a database; unavailable, with the command, when it has no tables of a server. */
export async function withTenancy<T>(options: TenancyOptions, use: (tenancy: Tenancy) => Promise<T>, { creates = false }: UseOptions = {}): Promise<T> {
  if (!creates) await checkExists(options);
  const { openDatabase, tenancyOf } = await import("hango/postgres");
  const database: Database = await openDatabase(options.db, { server: true, ...(options.schema === undefined ? {} : { schema: options.schema }) });
  const close = closing(() => database.close());
  try {
    return await use(tenancyOf(database));
  } finally {
    await close();
  }
}

const PAGE = 500;

interface Listed {
  readonly id: string;
}

/** Every row of a list that comes in pages. */
export async function allPages<T extends Listed>(
  page: (page: { readonly after?: string; readonly limit: number }) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const last = all.at(-1);
    const rows = await page({ limit: PAGE, ...(last === undefined ? {} : { after: last.id }) });
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}

/** A table for a person: two spaces between columns, the last one unpadded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) => `${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  ")}\n`).join("");
}

/** Whose an agent or a session is by a name or a UUID. */
export async function namespaceOf(options: {
  readonly tenant: string;
  readonly agent: string;
}): Promise<{ readonly tenantId: string; readonly agentId: string }> {
  return { tenantId: await idOf(options.tenant), agentId: await idOf(options.agent) };
}
