/** hango/postgres: a storage on Postgres, or on PGlite where there is no server. */
export { type Database, openDatabase } from "./database.ts";
export type { DatabaseOptions } from "./database-options.ts";
export { migrateDown, type MigrateOptions, migrateUp, type MigrationState, migrationStatus } from "./migrate.ts";
export { type PostgresStorage, postgresStorage } from "./postgres-storage.ts";
