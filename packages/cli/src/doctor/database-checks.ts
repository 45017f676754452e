/** What the facts of a database mean, and what to do about them. */
import type { DatabaseReport } from "hango/postgres";
import { type Check, bad, ok, warn } from "./check.ts";

export interface DatabaseFacts {
  readonly report: DatabaseReport;
  /** As it was given; only its host and port are looked at. */
  readonly url: string;
  readonly schema: string;
  /** The command that runs the missing migrations. */
  readonly migrate: string;
}

const OLDEST = 140_000;
/** A share of the server's connections that leaves no room for a pool of ten and for others. */
const CROWDED = 0.8;

/** In the order of what to mend first. */
export function databaseChecks(facts: DatabaseFacts): readonly Check[] {
  const { report } = facts;
  const pglite = facts.url.startsWith("pglite:");
  const common = [server(report, pglite), encoding(report), schema(facts), ...session(report), ...compression(report)];
  if (pglite) return [...common, ok("row-level security", "off: PGlite's one role is this process itself")];
  return [...common, writable(report), role(facts), rowLevelSecurity(facts), durability(report), timeout(report), pooler(facts), connections(report)];
}

function server({ product, version }: DatabaseReport, pglite: boolean): Check {
  const short = /^\S+ \S+/.exec(product)?.[0] ?? product;
  const found = pglite ? `${short}, in this process` : short;
  return version >= OLDEST ? ok("server", found) : bad("server", found, "hango needs PostgreSQL 14 or newer; move the database to one.");
}

function encoding({ encoding: found }: DatabaseReport): Check {
  return found === "UTF8"
    ? ok("encoding", found)
    : bad("encoding", found, "hango needs a database with the encoding UTF8: create database … encoding 'UTF8' template template0");
}

function schema({ report, schema: name, migrate }: DatabaseFacts): Check {
  const { missing, tables, tablesExpected } = report;
  if (tables === 0) return bad("schema", `no tables of hango in “${name}”`, `Run: ${migrate}`);
  if (missing === undefined)
    return tables === tablesExpected
      ? ok("schema", `“${name}”: ${tables} tables; this role can't see which migrations ran`)
      : bad("schema", `“${name}”: ${tables} of ${tablesExpected} tables`, `Run: ${migrate}`);
  if (missing.length > 0 || tables < tablesExpected)
    return bad("schema", `“${name}”: not run: ${missing.join(", ") || "none, but tables are missing"}`, `Run: ${migrate}`);
  return ok("schema", `“${name}”: ${tables} tables, every migration has run`);
}

function session({ settings, role: name, passesPolicies }: DatabaseReport): readonly Check[] {
  const needed: readonly (readonly [string, string])[] = [
    ["datestyle", "ISO"],
    ["array_nulls", "on"],
    ...(passesPolicies ? [] : ([["row_security", "on"]] as const)),
  ];
  return needed.flatMap(([setting, wanted]) => {
    const found = settings.get(setting) ?? "";
    if (found === wanted || found.startsWith(`${wanted},`)) return [];
    return [bad(setting, found, `hango needs ${wanted}. Run: alter role "${name}" set ${setting} = '${wanted}'`)];
  });
}

function compression({ contentCompression, hasLz4, settings }: DatabaseReport): readonly Check[] {
  if (contentCompression === undefined) return [];
  if (contentCompression === "l") return [ok("compression", "contents as LZ4")];
  const found = `contents as ${settings.get("default_toast_compression") ?? "the server's default"}`;
  // Nothing to do where the server was built without it.
  return [
    hasLz4
      ? warn("compression", found, "LZ4 reads about twice as fast: alter table agent_files alter column content set compression lz4")
      : ok("compression", `${found}; this server has no LZ4`),
  ];
}

function writable({ readOnly }: DatabaseReport): Check {
  return readOnly ? bad("writing", "the server takes no writes", "It is a replica or in read-only mode; name the primary in --db.") : ok("writing", "yes");
}

function role({ report, schema: name }: DatabaseFacts): Check {
  const { role: found, superuser, ownsTables, mayReadAndWrite, tables } = report;
  const what = superuser ? "a superuser" : ownsTables ? "owns the tables" : "an ordinary role";
  if (tables > 0 && !mayReadAndWrite)
    return bad(
      "role",
      `${found}: may not read and write hango's tables`,
      `Run as their owner: grant usage on schema ${name} to "${found}"; grant select, insert, update, delete on all tables in schema ${name} to "${found}";`,
    );
  return ok("role", `${found}, ${what}`);
}

function rowLevelSecurity({ report, migrate }: DatabaseFacts): Check {
  const { passesPolicies, forced, role: found, superuser, tables, tablesExpected } = report;
  if (passesPolicies)
    return warn(
      "row-level security",
      `off: ${found} ${superuser ? "is a superuser" : "has BYPASSRLS"}, so only each statement's WHERE keeps tenants apart`,
      `Fine for your own hand. For a service make a role that owns nothing: ${migrate} --app-role hango_app`,
    );
  if (tables > 0 && forced < tablesExpected) return bad("row-level security", `forced on ${forced} of ${tablesExpected} tables`, `Run: ${migrate}`);
  return ok("row-level security", "on: the policies hold for this role");
}

function durability({ settings }: DatabaseReport): Check {
  const found = settings.get("synchronous_commit") ?? "unknown";
  return found === "off"
    ? warn("synchronous_commit", found, "A crash of the server loses writes that were acknowledged. Run: alter role … set synchronous_commit = on")
    : ok("synchronous_commit", found);
}

function timeout({ settings }: DatabaseReport): Check {
  const found = settings.get("statement_timeout") ?? "0";
  if (found === "0") return ok("statement_timeout", "none (hango sets its own for each grep)");
  const ms = milliseconds(found);
  return ms !== undefined && ms < 10_000
    ? warn(
        "statement_timeout",
        found,
        "Large writes, imports and migrations may be cut short; give hango's role 30s or more: alter role … set statement_timeout = '30s'",
      )
    : ok("statement_timeout", found);
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["min", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** As Postgres shows a time: "250ms", "30s", "1min". */
function milliseconds(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+)([a-z]+)$/.exec(text) ?? [];
  const factor = UNITS.get(unit);
  return factor === undefined ? undefined : Number(number) * factor;
}

function pooler({ report, url }: DatabaseFacts): Check {
  const { hostname, port } = new URL(url);
  const sign = report.backendChanges ? "statements of one connection meet different server processes" : looksLikePooler(hostname, port);
  if (sign === undefined) return ok("pooler", "none seen");
  return ok("pooler", `probably: ${sign}. Works in transaction mode; before PgBouncer 1.21 open the database with preparedStatements: false`);
}

function looksLikePooler(hostname: string, port: string): string | undefined {
  if (port === "6432" || port === "6543") return `port ${port}`;
  return /pool|pgbouncer/i.test(hostname) ? `the host is called ${hostname}` : undefined;
}

function connections({ connections: open, settings }: DatabaseReport): Check {
  const most = Number(settings.get("max_connections") ?? Number.NaN);
  const found = `${open} open in this database${Number.isNaN(most) ? "" : `, the server takes ${most}`}`;
  return open > most * CROWDED
    ? warn("connections", found, "Close what is idle, or put a pooler in front; each openDatabase takes up to 10 (maxConnections).")
    : ok("connections", found);
}
