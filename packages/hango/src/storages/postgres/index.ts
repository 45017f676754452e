/** hango/postgres: a storage on Postgres, or on PGlite where there is no server. */
export { type Database, databasePool, openDatabase } from "./database.ts";
export type { PoolFigures } from "./driver/driver.ts";
export type { DatabaseOptions } from "./database-options.ts";
export { type DatabaseReport, inspectDatabase, type MigrationLoss, migrationLoss, type TableReport } from "./inspect.ts";
export { type AppRole, type AppRoleOptions, createAppRole } from "./app-role.ts";
export { migrateDown, type MigrateOptions, migrateUp, type MigrateUpOptions, type MigrationState, migrationStatus } from "./migrate.ts";
export type { DumpOptions, LeftFile, LoadFile, LoadOptions, LoadReport } from "./postgres-storage.ts";
export { type PostgresStorage, postgresStorage, type Pruned, type PruneOptions, type Quota, type Usage } from "./postgres-storage.ts";
export * from "./tenancy/index.ts";
export { versionNumber } from "./sql/version.ts";
