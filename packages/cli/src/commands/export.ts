import { Command } from "commander";
import { withStoreOptions } from "../store.ts";
import type { ExportCommandOptions } from "../transfer/run-export.ts";

/** `hango export` */
export function exportCommand(): Command {
  return withStoreOptions(
    new Command("export")
      .description("Write an agent's files into a directory, or as a tar archive to stdout.")
      .argument("<target>", "a new or empty directory, or - for a tar archive on stdout"),
  )
    .option("--prefix <path>", "only the files below this directory, or this file")
    .option("--overwrite", "into a directory that is not empty: write over files of the same name, leave others")
    .option("--json", "print one JSON object")
    .option("--verbose", "name every file that is not written, and say how much memory it took")
    .addHelpText(
      "after",
      `
Each file is written whole or not at all, with the time of its last change. On Postgres it is one snapshot.
Machine files (stored tool results, conversations) are left out, but for those of --session.

Examples:
  hango export ./copy
  hango export ./docs --prefix /docs --overwrite
  hango export - | gzip > backup.tar.gz`,
    )
    .action(async (target: string, options: ExportCommandOptions) => {
      const { runExport } = await import("../transfer/run-export.ts");
      await runExport(target, options);
    });
}
