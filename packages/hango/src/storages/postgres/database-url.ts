/** The three forms of a database's URL, and how one is shown: never with its password. */
import { HangoError } from "../../errors.ts";

export type DatabaseTarget = { readonly kind: "postgres"; readonly url: string } | { readonly kind: "pglite"; readonly path: string };

/** A plain name, so that no statement has to quote it. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** Errors: invalid_argument naming the three forms; a URL that can't be read is not repeated, since it may hold a password. */
export function parseDatabaseUrl(url: string): DatabaseTarget {
  const forms = "Use postgres://user@host/database, pglite:./directory, or pglite: (a temporary directory).";
  if (typeof url !== "string") throw new HangoError("invalid_argument", `The database's URL must be a string. ${forms}`);
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (!URL.canParse(url))
      throw new HangoError("invalid_argument", `The postgres:// URL can't be read; percent-encode special characters of the password. ${forms}`);
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

/** Errors: invalid_argument. */
export function parseSchema(schema = "hango"): string {
  if (SCHEMA_NAME.test(schema) && !schema.startsWith("pg_")) return schema;
  throw new HangoError("invalid_argument", `options.schema must match ${SCHEMA_NAME.source} and not start with pg_.`);
}
