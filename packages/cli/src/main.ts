#!/usr/bin/env node
/** The `hango` command: the composition root, the only place that knows everything. */
import { Command } from "commander";
import { isHangoError } from "hango";
import { runDemo } from "./demo/demo.ts";
import { type MigrateCommandOptions, migrateStatusCommand, migrateUpCommand } from "./migrate.ts";

// A reader that has seen enough (`hango demo | head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const program = new Command("hango").description("The filesystem for AI agents.").showHelpAfterError();

program
  .command("demo")
  .description("Import a real directory into a store on disk and watch an agent work on it. The directory itself is only read.")
  .argument("[directory]", "what to import (default: hango's own sources in a clone of it, else the current directory)")
  .option("--store <directory>", "where the store lives", ".hango/demo")
  .option("--model <id>", "a real model through the AI Gateway, e.g. anthropic/claude-sonnet-4.5 (needs AI_GATEWAY_API_KEY)")
  .addHelpText("after", "\nExamples:\n  hango demo\n  hango demo ../my-project --store /tmp/try\n  AI_GATEWAY_API_KEY=… hango demo --model openai/gpt-5")
  .action(async (directory: string | undefined, options: { readonly store: string; readonly model?: string }) => {
    await runDemo({
      ...(directory === undefined ? {} : { directory }),
      store: options.store,
      ...(options.model === undefined ? {} : { model: options.model }),
    });
  });

const migrate = program.command("migrate").description("Make or look at the tables of a database.");
for (const [name, description, run] of [
  ["up", "Run every missing migration, all or nothing.", migrateUpCommand],
  ["status", "Show which migrations have run.", migrateStatusCommand],
] as const)
  migrate
    .command(name)
    .description(description)
    .requiredOption("--db <url>", "postgres://… (its password may stand in PGPASSWORD) or pglite:./directory")
    .option("--schema <name>", "where the tables are (default: hango)")
    .action((options: MigrateCommandOptions) => run(options));

try {
  await program.parseAsync();
} catch (error) {
  // A known error is for the person at the terminal; anything else is a bug and keeps its stack.
  if (!isHangoError(error)) throw error;
  process.stderr.write(`hango: ${error.message}\n`);
  process.exitCode = 1;
}
