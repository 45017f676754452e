/** A database for one test file, so that files can run at the same time on one server. */
import { randomBytes } from "node:crypto";
import pg from "pg";

export interface FreshDatabase {
  /** The superuser's URL. */
  readonly url: string;
  readonly drop: () => Promise<void>;
}

export interface FreshDatabaseOptions {
  /** Default "icu": en-US, so that a query which forgets `collate "C"` orders and compares wrongly and is found out. */
  readonly locale?: "icu" | "C";
}

/** Creates it on the server that `inject("postgresUrl")` names. */
export async function freshDatabase(serverUrl: string, options: FreshDatabaseOptions = {}): Promise<FreshDatabase> {
  const name = `hango_test_${randomBytes(6).toString("hex")}`;
  const locale = options.locale === "C" ? "" : " locale_provider icu icu_locale 'en-US'";
  await onServer(serverUrl, `create database ${name} template template0 encoding 'UTF8'${locale}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(serverUrl, `drop database ${name} with (force)`) };
}

/** Runs one statement on a connection of its own. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
