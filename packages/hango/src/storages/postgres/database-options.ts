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
