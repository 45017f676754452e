/** The three forms of a database's URL, and how one is shown, alone and in a command: never with its password. */
import { HangoError } from "../../errors.ts";

export type DatabaseTarget = { readonly kind: "postgres"; readonly url: string } | { readonly kind: "pglite"; readonly path: string };

const DEFAULT_SCHEMA = "hango";

/** A plain name, so that no statement has to quote it. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** Errors: invalid_argument naming the three forms; a URL that can't be read is not repeated, since it may hold a password. */
export function parseDatabaseUrl(url: string): DatabaseTarget {
  const forms = "Use postgres://user@host/database, pglite:./directory, or pglite: (a temporary directory).";
  if (typeof url !== "string") throw new HangoError("invalid_argument", `The database's URL must be a string. ${forms}`);
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (!URL.canParse(url))
      throw new HangoError("invalid_argument", `The postgres:// URL can't be read; percent-encode special characters of the password. ${forms}`);
    if (new URL(url).searchParams.has("schema"))
      throw new HangoError(
        "invalid_argument",
        "The schema in a postgres:// URL is not read. Take it out and give options.schema (on the command line: --schema).",
      );
    return { kind: "postgres", url };
  }
  // "pglite:memory://" and "pglite:file:///…" are PGlite's own way to write; here they would be directories of that name.
  if (url.startsWith("pglite:") && !/^pglite:([a-z-]+:)?\/\//.test(url) && !url.includes("\0")) return { kind: "pglite", path: url.slice("pglite:".length) };
  if (url.startsWith("pglite:"))
    throw new HangoError("invalid_argument", `After pglite: comes a directory's path, without slashes of a URL before it and without NUL. ${forms}`);
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  throw new HangoError("invalid_argument", `${scheme === undefined ? "That is no database URL." : `${scheme} is no database that hango opens.`} ${forms}`);
}

/** The URL for a message. */
export function shownUrl(target: DatabaseTarget): string {
  if (target.kind === "pglite") return `pglite:${target.path}`;
  const url = new URL(target.url);
  url.password = "";
  const scheme = url.protocol;
  return `${scheme}//${url.username === "" ? "" : `${url.username}@`}${url.host}${url.pathname}`;
}

/** The command that runs the missing migrations, whole, as it is typed. */
export function migrateCommand(target: DatabaseTarget, schema: string, { server = false }: { readonly server?: boolean } = {}): string {
  return `npx hango migrate up ${server ? "--server " : ""}--db ${shellWord(shownUrl(target))}${schema === DEFAULT_SCHEMA ? "" : ` --schema ${schema}`}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Errors: invalid_argument. */
export function parseSchema(schema: string = DEFAULT_SCHEMA): string {
  if (typeof schema === "string" && SCHEMA_NAME.test(schema) && !schema.startsWith("pg_") && schema !== "information_schema") return schema;
  throw new HangoError(
    "invalid_argument",
    `options.schema must match ${SCHEMA_NAME.source}, and be none of the server's own (information_schema, and all that start with pg_).`,
  );
}
