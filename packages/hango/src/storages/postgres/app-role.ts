/** The role that a service runs as: it owns nothing, and the policies hold for it. */
import { HangoError } from "../../errors.ts";
import { checkOptions } from "./database-options.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { type MigrateOptions, onConnection } from "./migrate.ts";
import { MIGRATION_TABLE, SERVER_MIGRATION_TABLE } from "./migrations/run.ts";
import { NAMESPACE_TABLES, TENANCY_TABLES } from "./migrations/tables.ts";
import type { SqlConnection } from "./sql-connection.ts";

export interface AppRoleOptions extends MigrateOptions {
  /** A plain name: lower case, digits and underscores. */
  readonly role: string;
  /** Lets the role log in with it. Without one a new role can't log in until you give it a way; one that is there keeps its own. */
  readonly password?: string;
}

export interface AppRole {
  readonly role: string;
  /** False: the role was there, and only its rights were set. */
  readonly created: boolean;
  readonly mayLogIn: boolean;
}

const ROLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** What the role may do with each table; the record is only added to, and pruned. */
const RIGHTS: ReadonlyMap<string, string> = new Map([
  ...[...NAMESPACE_TABLES, ...TENANCY_TABLES].map((table) => [table, "select, insert, update, delete"] as const),
  ["audit_events", "select, insert, delete"],
  [MIGRATION_TABLE, "select"],
  [SERVER_MIGRATION_TABLE, "select"],
]);

/**
 * Makes the role when it is not there, and gives it the rights it needs on the tables that are there, no more.
 * Errors: invalid_argument; unsupported for pglite; forbidden for a role that passes the policies by or owns a table, and when this connection's role may not do it.
 */
export async function createAppRole(url: string, options: AppRoleOptions): Promise<AppRole> {
  checkOptions("createAppRole", options, ["schema", "pool", "role", "password"]);
  const { role, password, ...rest } = options;
  if (!ROLE_NAME.test(role) || role.startsWith("pg_"))
    throw new HangoError("invalid_argument", `A role's name must match ${ROLE_NAME.source} and not start with pg_.`);
  if (parseDatabaseUrl(url).kind === "pglite")
    throw new HangoError("unsupported", "A role of its own needs postgres://; PGlite's one role is this process itself.");
  return onConnection(url, rest, async (connection, schema) => {
    await connection.query("begin");
    try {
      const made = await makeRole(connection, { schema, role, password });
      await connection.query("commit");
      return made;
    } catch (error) {
      await connection.query("rollback");
      throw error;
    }
  });
}

interface RoleFacts {
  readonly schema: string;
  readonly role: string;
  readonly password: string | undefined;
}

async function makeRole(connection: SqlConnection, { schema, role, password }: RoleFacts): Promise<AppRole> {
  const { rows: found } = await connection.query(
    "select rolsuper or rolbypassrls as passes, rolcanlogin as login from pg_catalog.pg_roles where rolname = $1",
    [role],
  );
  const [known] = found;
  if (known?.["passes"] === true)
    throw new HangoError("forbidden", `The role ${role} is a superuser or has BYPASSRLS: row-level security does not hold for it. Name another.`);
  // format() quotes: a password can't be a parameter of these statements.
  const attributes = password === undefined ? "" : " login password %L";
  if (known === undefined || password !== undefined) {
    const verb = known === undefined ? "create role %I nosuperuser nobypassrls nocreaterole nocreatedb" : "alter role %I";
    const { rows } = await connection.query("select format($1, $2::text, $3::text) as text", [verb + attributes, role, password ?? null]);
    await connection.query(String(rows[0]?.["text"]));
  }
  const { rows: tables } = await connection.query(
    "select c.relname::text as name, pg_has_role($2, c.relowner, 'member') as owns from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind in ('r', 'p')",
    [schema, role],
  );
  const own = tables.filter((table) => table["owns"] === true).map((table) => String(table["name"]));
  if (own.length > 0)
    throw new HangoError(
      "forbidden",
      `The role ${role} owns ${own.join(", ")}, or is a member of the role that does: it could lift the policies. Name another.`,
    );
  if (!tables.some((table) => table["name"] === "agent_files"))
    throw new HangoError("unavailable", `The schema ${schema} has no tables of hango yet; migrate it first.`);
  await connection.query(`revoke all on all tables in schema "${schema}" from "${role}"`);
  await connection.query(`grant usage on schema "${schema}" to "${role}"`);
  for (const { name } of tables) {
    const rights = RIGHTS.get(String(name));
    if (rights !== undefined) await connection.query(`grant ${rights} on "${schema}"."${String(name)}" to "${role}"`);
  }
  return { role, created: known === undefined, mayLogIn: password !== undefined || known?.["login"] === true };
}
