/** `hango migrate`: the tables of a database, made and looked at. */
import { migrateUp, migrationStatus } from "hango/postgres";

export interface MigrateCommandOptions {
  readonly db: string;
  readonly schema?: string;
}

const schemaOf = ({ schema }: MigrateCommandOptions): { readonly schema?: string } => (schema === undefined ? {} : { schema });

export async function migrateUpCommand(options: MigrateCommandOptions): Promise<void> {
  const ran = await migrateUp(options.db, schemaOf(options));
  process.stdout.write(ran.length === 0 ? "Nothing to do: every migration has run.\n" : ran.map((name) => `ran ${name}\n`).join(""));
}

export async function migrateStatusCommand(options: MigrateCommandOptions): Promise<void> {
  for (const { name, ranAt } of await migrationStatus(options.db, schemaOf(options)))
    process.stdout.write(`${name.padEnd(32)}${ranAt === undefined ? "not run" : `ran ${ranAt.toISOString()}`}\n`);
}
