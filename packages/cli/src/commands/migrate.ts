import { Command } from "commander";
import type { AppRole, MigrationLoss } from "hango/postgres";
import { count, counted, print, printJson, size } from "../output.ts";
import { wholeNumber } from "../size.ts";
import { type DatabaseCommandOptions, checkExists, withDatabaseOptions } from "../store.ts";

interface MigrateOptions extends DatabaseCommandOptions {
  readonly json?: boolean;
}

interface UpOptions extends MigrateOptions {
  readonly server?: boolean;
  readonly appRole?: string;
}

interface DownOptions extends MigrateOptions {
  readonly steps: number;
  readonly all?: boolean;
  readonly yes?: boolean;
}

const schemaOf = ({ schema }: DatabaseCommandOptions): { readonly schema?: string } => (schema === undefined ? {} : { schema });

/** `hango migrate` */
export function migrateCommand(): Command {
  return new Command("migrate")
    .description("Make, look at or undo the tables of a database.")
    .addHelpText("after", "\nExamples:\n  hango migrate up --db postgres://me@localhost/app\n  hango migrate status\n  hango migrate down")
    .addCommand(upCommand())
    .addCommand(downCommand())
    .addCommand(statusCommand());
}

function upCommand(): Command {
  return withDatabaseOptions(new Command("up").description("Run every missing migration, all or nothing."))
    .option("--server", "also the tables of hango serve: tenants, agents, sessions and keys")
    .option(
      "--app-role <name>",
      "then make this role where it is missing, which owns nothing, and give it the rights that a service needs; HANGO_APP_ROLE_PASSWORD lets it log in",
    )
    .option("--json", "print one JSON object: ran, and appRole")
    .addHelpText(
      "after",
      "\nExamples:\n  hango migrate up --db postgres://me@localhost/app\n  PGPASSWORD=… hango migrate up --db postgres://me@db.example.com/app --schema agents\n  HANGO_APP_ROLE_PASSWORD=… hango migrate up --server --app-role hango_app --db postgres://me@localhost/app",
    )
    .action(async (options: UpOptions) => {
      const { createAppRole, migrateUp } = await import("hango/postgres");
      const ran = await migrateUp(options.db, { ...schemaOf(options), server: options.server === true });
      const password = process.env["HANGO_APP_ROLE_PASSWORD"];
      const appRole =
        options.appRole === undefined
          ? undefined
          : await createAppRole(options.db, {
              ...schemaOf(options),
              role: options.appRole,
              ...(password === undefined || password === "" ? {} : { password }),
            });
      if (options.json === true) return printJson({ ran, ...(appRole === undefined ? {} : { appRole }) });
      await print(ran.length === 0 ? "Nothing to do: every migration has run.\n" : ran.map((name) => `ran ${name}\n`).join(""));
      if (appRole !== undefined) await print(describeRole(appRole));
    });
}

function describeRole({ role, created, mayLogIn }: AppRole): string {
  const login = mayLogIn ? "" : `It can't log in yet: alter role ${role} login password '…', or run this again with HANGO_APP_ROLE_PASSWORD.\n`;
  return `${created ? "made the role" : "set the rights of the role"} ${role}\n${login}`;
}

function statusCommand(): Command {
  return withDatabaseOptions(new Command("status").description("Show which migrations have run."))
    .option("--json", "print one JSON array")
    .addHelpText("after", "\nExample:\n  hango migrate status --db postgres://me@localhost/app")
    .action(async (options: MigrateOptions) => {
      const { migrationStatus } = await import("hango/postgres");
      const states = await migrationStatus(options.db, schemaOf(options));
      if (options.json === true) return printJson(states);
      await print(
        states.map(({ name, ranAt, server }) => `${name.padEnd(32)}${ranAt === undefined ? notRun(server) : `ran ${ranAt.toISOString()}`}\n`).join(""),
      );
    });
}

function notRun(server: true | undefined): string {
  return server === true ? "not run (hango serve needs it; migrate up --server)" : "not run";
}

function downCommand(): Command {
  return withDatabaseOptions(new Command("down").description("Undo the newest migrations; says what they drop, and asks."))
    .option("--steps <n>", "how many", wholeNumber(1, 1_000), 1)
    .option("--all", "every one: nothing of hango stays in the schema")
    .option("--yes", "do not ask")
    .option("--json", "print one JSON object: undone")
    .addHelpText("after", "\nExamples:\n  hango migrate down\n  hango migrate down --all --yes --db postgres://me@localhost/app")
    .action(async (options: DownOptions) => {
      await checkExists(options);
      const { migrateDown, migrationLoss } = await import("hango/postgres");
      const { confirm } = await import("../confirm.ts");
      const loss = await migrationLoss(options.db, { ...schemaOf(options), steps: options.all === true ? Number.MAX_SAFE_INTEGER : options.steps });
      if (loss.migrations.length === 0) return options.json === true ? printJson({ undone: [] }) : print("Nothing to undo: no migration has run.\n");
      if (!(await confirm(describeLoss(loss), { yes: options.yes === true }))) return print("Nothing was changed.\n");
      const undone = await migrateDown(options.db, { ...schemaOf(options), steps: loss.migrations.length });
      if (options.json === true) return printJson({ undone });
      await print(undone.map((name) => `undid ${name}\n`).join(""));
    });
}

/** What goes, with its size, before anybody is asked. */
function describeLoss({ migrations, tables, files }: MigrationLoss): string {
  const lines = [`This undoes ${migrations.join(", ")}.`];
  if (migrations.includes("003-row-level-security")) lines.push("The row-level security policies go: the database alone no longer keeps tenants apart.");
  for (const { name, rows, exact, bytes } of tables)
    lines.push(`Table ${name} is dropped with ${exact ? "" : "about "}${counted(Math.round(rows), "row")} (${size(bytes)} on disk).`);
  if (files !== undefined) lines.push(`In them: ${counted(files.count, "file")} of ${count(files.bytes)} bytes, of every tenant and agent.`);
  if (tables.length > 0) lines.push("This can't be taken back.");
  return lines.join("\n");
}
