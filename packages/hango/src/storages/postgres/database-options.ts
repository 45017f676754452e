/** What openDatabase takes beside the URL, and the checks that nothing in it is silently something else. */
import { checkOptionNames, HangoError } from "../../errors.ts";

/** What openDatabase takes beside the URL. */
export interface DatabaseOptions {
  /** A pg.Pool of yours (TLS, IAM passwords, sizes), which you end yourself. With `pipeline: true` a call is one round trip. */
  readonly pool?: unknown;
  /** Default 10. Greps take at most a fifth of them. */
  readonly maxConnections?: number;
  /** Default "hango"; every name is qualified with it. */
  readonly schema?: string;
  /** Default true; false behind poolers that don't keep prepared statements (pgbouncer before 1.21). */
  readonly preparedStatements?: boolean;
  /** Default true for pglite, false for postgres (the error then names the command). */
  readonly migrate?: boolean;
  /** "auto": on when the role allows it, else one warning with the command. */
  readonly rowLevelSecurity?: boolean | "auto";
  /** Default false. True for what `tenancyOf` takes: the tables of a server are needed as well, and `migrate` makes them too. */
  readonly server?: boolean;
}

type Check = (value: unknown) => string | undefined;

const isBoolean: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");

/** What each option must be, in words, when it is something else. A pool and a schema are looked at where they are used. */
const checks: Readonly<Record<keyof DatabaseOptions, Check>> = {
  pool: () => undefined,
  schema: () => undefined,
  maxConnections: (value) => (Number.isSafeInteger(value) && Number(value) >= 1 ? undefined : "a whole number from 1"),
  preparedStatements: isBoolean,
  migrate: isBoolean,
  server: isBoolean,
  rowLevelSecurity: (value) => (value === "auto" ? undefined : isBoolean(value) && `${isBoolean(value)} or "auto"`),
};

/** Errors: invalid_argument for what is no object, and for a name that is not known. */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw new HangoError("invalid_argument", `The options of ${what} must be an object.`);
  checkOptionNames(what, options, known);
}

const connectionOptions = ["pool", "maxConnections", "preparedStatements"] as const;

/** Refuses for pglite: what it could only ignore. Errors: invalid_argument. */
export function refuseConnectionOptions(options: Pick<DatabaseOptions, (typeof connectionOptions)[number]>): void {
  const given = connectionOptions.find((name) => options[name] !== undefined);
  if (given !== undefined)
    throw new HangoError("invalid_argument", `options.${given} belongs to postgres://; a pglite: database has no connections. Leave it out.`);
}

/** Errors: invalid_argument; a misspelled name would be ignored, and a fence that is "on" would be off. */
export function checkDatabaseOptions(options: DatabaseOptions): void {
  checkOptions("openDatabase", options, Object.keys(checks));
  for (const [name, value] of Object.entries(options)) {
    const wanted = value === undefined ? undefined : checks[name as keyof DatabaseOptions](value);
    if (wanted !== undefined) throw new HangoError("invalid_argument", `options.${name} is ${shown(value)}; it must be ${wanted}.`);
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : typeof value === "object" ? "an object" : String(value);
}
