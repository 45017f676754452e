/** What openDatabase takes beside the URL, and the check that nothing in it is silently something else. */
import { HangoError } from "../../errors.ts";

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
  rowLevelSecurity: (value) => (value === "auto" ? undefined : isBoolean(value) && `${isBoolean(value)} or "auto"`),
};

/** Errors: invalid_argument; a misspelled name would be ignored, and a fence that is "on" would be off. */
export function checkDatabaseOptions(options: DatabaseOptions): void {
  if (typeof options !== "object" || options === null) throw new HangoError("invalid_argument", "The options of openDatabase must be an object.");
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name))
      throw new HangoError("invalid_argument", `openDatabase has no option ${name}. It takes ${Object.keys(checks).join(", ")}.`);
    const wanted = value === undefined ? undefined : checks[name as keyof DatabaseOptions](value);
    if (wanted !== undefined) throw new HangoError("invalid_argument", `options.${name} is ${shown(value)}; it must be ${wanted}.`);
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : typeof value === "object" ? "an object" : String(value);
}
