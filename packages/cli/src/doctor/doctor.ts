/** Looks at everything a database of hango's rests on, from this process outwards. */
import { readFileSync } from "node:fs";
import { type HangoError, isHangoError } from "hango";
import { type DatabaseReport, inspectDatabase } from "hango/postgres";
import { type DatabaseCommandOptions, isEmptyPlace } from "../store.ts";
import { version } from "../version.ts";
import { type Check, bad, ok, warn } from "./check.ts";
import { databaseChecks } from "./database-checks.ts";

/** Every line, in order. It never throws for what is wrong with the database: that is what it reports. */
export async function examine({ db, schema }: DatabaseCommandOptions): Promise<readonly Check[]> {
  const here = [ok("node", process.version), ok("hango", version()), pglite()];
  const place = directory(db);
  if (place?.state !== undefined && place.state !== "ok") return [...here, place];
  const opened = await look(db, schema);
  const before = place === undefined ? here : [...here, place];
  if (isHangoError(opened)) return [...before, unreachable(opened)];
  const migrate = `npx hango migrate up --db ${shown(db)}${schema === undefined ? "" : ` --schema ${schema}`}`;
  return [...before, ok("connection", shown(db)), ...databaseChecks({ report: opened, url: db, schema: schema ?? "hango", migrate })];
}

async function look(db: string, schema: string | undefined): Promise<DatabaseReport | HangoError> {
  try {
    return await inspectDatabase(db, schema === undefined ? {} : { schema });
  } catch (error) {
    if (isHangoError(error)) return error;
    throw error;
  }
}

function unreachable(error: HangoError): Check {
  const holder = error.details?.["pid"];
  if (holder !== undefined) return bad("lock", error.message, `Close process ${String(holder)}, or use postgres:// where several processes share a database.`);
  const cause = error.cause instanceof Error && error.cause.message !== "" ? ` (${error.cause.message})` : "";
  return bad(
    "connection",
    `${error.message}${cause}`,
    error.code === "invalid_argument" ? "Correct --db, --schema or HANGO_DB." : "Mend this first; the rest can't be looked at without it.",
  );
}

function pglite(): Check {
  try {
    const file = new URL("../package.json", import.meta.resolve("@electric-sql/pglite"));
    return ok("pglite", (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | null)?.code;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ENOENT") throw error;
    return warn("pglite", "not installed", "Only pglite: databases need it: npm install @electric-sql/pglite");
  }
}

/** A directory that is not there yet is made by the first write, and must not be made by a look. */
function directory(db: string): Check | undefined {
  if (!db.startsWith("pglite:")) return undefined;
  const path = db.slice("pglite:".length);
  if (path === "") return ok("directory", "temporary, made and removed by each command");
  if (isEmptyPlace(path))
    return warn(
      "directory",
      `there is no database at ${path} yet`,
      "The first “hango write” or “hango import” makes it. Or name another with --db or HANGO_DB.",
    );
  return ok("directory", path);
}

/** Without its password. */
function shown(db: string): string {
  if (!URL.canParse(db) || db.startsWith("pglite:")) return db;
  const url = new URL(db);
  url.password = "";
  return url.href;
}
