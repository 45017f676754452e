/** Opens the server's database, and refuses one that alone would not keep tenants apart. */
import { HangoError } from "hango";
import { type Database, openDatabase, type Tenancy, tenancyOf } from "hango/postgres";
import { closing, forget } from "../interrupt.ts";
import type { DatabaseCommandOptions } from "../store.ts";
import type { Logger } from "./log.ts";
import type { ServeSettings } from "./settings.ts";

export interface ServerStore {
  readonly database: Database;
  readonly tenancy: Tenancy;
  readonly close: () => Promise<void>;
}

export interface OpenServerStoreOptions {
  readonly settings: Pick<ServeSettings, "allowUnfenced" | "databaseConnections">;
  readonly logger: Logger;
}

/** Errors: as openDatabase; unsupported when the role passes row-level security by and nobody said that it may. */
export async function openServerStore(options: DatabaseCommandOptions, { settings, logger }: OpenServerStoreOptions): Promise<ServerStore> {
  const { db, schema } = options;
  const embedded = db.startsWith("pglite:");
  const opening = openDatabase(db, {
    server: true,
    ...(schema === undefined ? {} : { schema }),
    ...(embedded ? {} : { maxConnections: settings.databaseConnections }),
  });
  const close = closing(async () => (await opening).close());
  let database: Database;
  try {
    database = await opening;
  } catch (error) {
    forget(close);
    throw error;
  }
  const tenancy = tenancyOf(database);
  try {
    await checkFenced(tenancy, { embedded, logger, allowUnfenced: settings.allowUnfenced });
  } catch (error) {
    await close();
    throw error;
  }
  return { database, tenancy, close };
}

interface FenceOptions {
  readonly embedded: boolean;
  readonly logger: Logger;
  readonly allowUnfenced: boolean;
}

async function checkFenced(tenancy: Tenancy, { embedded, logger, allowUnfenced }: FenceOptions): Promise<void> {
  const { fenced, role, problems, warnings } = await tenancy.checkFence();
  for (const warning of warnings) logger.warn(warning);
  if (fenced) return logger.info({ role }, "row-level security holds: it keeps tenants apart even where a statement would not");
  if (embedded)
    return logger.info(
      "an embedded store has one role, so each statement keeps tenants apart and nothing stands behind it; use Postgres for tenants that don't trust each other",
    );
  if (!allowUnfenced)
    throw new HangoError(
      "unsupported",
      `Row-level security would not hold. ${problems.join(" ")} Make a role that owns nothing (hango migrate up --server --app-role NAME) and serve with it, or accept one fence with --allow-unfenced.`,
    );
  logger.warn({ role, problems }, "row-level security does not hold, as --allow-unfenced accepts: each statement alone keeps tenants apart");
}
