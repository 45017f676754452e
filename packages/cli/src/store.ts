/** Opens the database and the namespace that a command works on. */
import { readdirSync } from "node:fs";
import { type Command, Option } from "commander";
import type { Namespace, Storage } from "hango";
import type { Database, PostgresStorage } from "hango/postgres";
import { closing, forget } from "./interrupt.ts";

const DEFAULT_DB = "pglite:.hango/data";
const DEFAULT_NAME = "default";

export interface DatabaseCommandOptions {
  readonly db: string;
  readonly schema?: string;
}

/** What withStoreOptions adds to a command. */
export interface StoreOptions extends DatabaseCommandOptions {
  readonly tenant: string;
  readonly agent: string;
  readonly session?: string;
}

export interface Store {
  readonly database: Database;
  /** The database's own doors: usage, quota, erase, events. A tenant's quota holds for what is written through them, where there are tenants. */
  readonly files: PostgresStorage;
  readonly namespace: Namespace;
  /** The namespace without a guard: the owner's own hand, recorded as the operator. */
  readonly storage: Storage;
  readonly sessionId?: string;
  readonly close: () => Promise<void>;
}

/** Adds `--db` and `--schema`. */
export function withDatabaseOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--db <url>", "postgres://user@host/database (its password may stand in PGPASSWORD), or pglite:./directory")
        .env("HANGO_DB")
        .default(DEFAULT_DB),
    )
    .addOption(new Option("--schema <name>", 'where the tables are (default: "hango")').env("HANGO_SCHEMA"));
}

/** Adds `--db --schema --tenant --agent`, and `--session` for commands that read: whose files they are. */
export function withStoreOptions(command: Command): Command {
  return withNamespaceOptions(command).addOption(new Option("--session <id>", "also show this session's machine files; a name or a UUID"));
}

/** Adds `--db --schema --tenant --agent`. */
export function withNamespaceOptions(command: Command): Command {
  return withDatabaseOptions(command)
    .addOption(new Option("--tenant <id>", "the tenant: a name or a UUID").env("HANGO_TENANT").default(DEFAULT_NAME))
    .addOption(new Option("--agent <id>", "the agent whose files they are: a name or a UUID").env("HANGO_AGENT").default(DEFAULT_NAME));
}

export interface OpenStoreOptions {
  /** For a command that only makes sense on what is there: a pglite directory is not made anew. Errors: not_found. */
  readonly mustExist?: boolean;
}

/** Opens what the options name; the process closes it on Ctrl-C. Errors: as openDatabase. */
export async function openStore(options: StoreOptions, { mustExist = false }: OpenStoreOptions = {}): Promise<Store> {
  if (mustExist) await checkExists(options);
  const { hasTenancy, openDatabase, postgresStorage, tenancyOf } = await import("hango/postgres");
  const namespace = { tenantId: await idOf(options.tenant), agentId: await idOf(options.agent) };
  const sessionId = options.session === undefined ? undefined : await idOf(options.session);
  const opening = openDatabase(options.db, options.schema === undefined ? {} : { schema: options.schema });
  // Known from here on: Ctrl-C while a directory is being opened gives it back as well.
  const close = closing(async () => (await opening).close());
  const database = await opening.catch((error: unknown) => {
    forget(close);
    throw error;
  });
  let files: PostgresStorage;
  try {
    files = (await hasTenancy(database)) ? tenancyOf(database).storage : postgresStorage(database);
  } catch (error) {
    await close();
    throw error;
  }
  return { database, files, namespace, storage: files.scope(namespace), ...(sessionId === undefined ? {} : { sessionId }), close };
}

/** Opens, uses and closes. */
export async function withStore<T>(options: StoreOptions, use: (store: Store) => Promise<T>, open: OpenStoreOptions = {}): Promise<T> {
  const store = await openStore(options, open);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** A UUID as it is, of a name the one that always is its own. */
export async function idOf(given: string): Promise<string> {
  const { HangoError, uuidFor } = await import("hango");
  if (given === "")
    throw new HangoError(
      "invalid_argument",
      "A tenant, an agent or a session needs a name or a UUID, not an empty text; see also HANGO_TENANT and HANGO_AGENT.",
    );
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given) ? given.toLowerCase() : uuidFor(given);
}

/** True where nothing is yet. What else is wrong with a place, opening says in words. */
export function isEmptyPlace(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Errors: not_found for a pglite directory that holds nothing yet. */
export async function checkExists({ db }: DatabaseCommandOptions): Promise<void> {
  if (!db.startsWith("pglite:") || db === "pglite:") return;
  const directory = db.slice("pglite:".length);
  if (!isEmptyPlace(directory)) return;
  const { HangoError } = await import("hango");
  throw new HangoError(
    "not_found",
    `There is no database at ${directory} yet. Fill one with “hango import DIRECTORY” or “hango write PATH”, or name another with --db or HANGO_DB.`,
  );
}
