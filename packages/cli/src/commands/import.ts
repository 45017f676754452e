import { Command } from "commander";
import { withNamespaceOptions } from "../store.ts";
import type { ImportCommandOptions } from "../transfer/run-import.ts";

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `hango import` */
export function importCommand(): Command {
  return withNamespaceOptions(
    new Command("import")
      .description("Read a directory, or a tar archive on stdin, into an agent's files. Nothing is written over unless you say so.")
      .argument("<source>", "a directory, or - for a tar archive on stdin (plain or gzip)"),
  )
    .option("--into <path>", "below this directory of the store")
    .option("--overwrite", "write over files that differ")
    .option("--if-newer", "write over files that differ and are older than the ones given")
    .option(
      "--atomic",
      "all or nothing: what can't be stored (a link, a file that is too large), or would be kept, is an error; others who make files here wait meanwhile",
    )
    .option("--gitignore", "leave out what git would ignore")
    .option("--all", "also take node_modules, dist and .hango (never .git)")
    .option("--include <glob>", "only files that match; may be given again", collect)
    .option("--exclude <glob>", "no files or directories that match; may be given again", collect)
    .option("--dry-run", "only say what would be read")
    .option("--json", "print one JSON object")
    .option("--verbose", "name every file that is not stored, and say how much memory it took")
    .addHelpText(
      "after",
      `
Files that are there with the same content are passed by, so an import that was stopped can be run again.
Files that are there with other content are kept and named, and the exit code is 4.
Files that can't be stored (over 1 MiB, unreadable, some names) are named, and the exit code is 1: --exclude leaves them out.
Symbolic links, pipes and devices are named and left out; the exit code stays 0.
Empty directories and permissions are not kept.

Examples:
  hango import ./my-project
  hango import ./my-project --gitignore --into /src
  hango import ./docs --include '*.md' --if-newer
  curl -L https://example.com/project.tar.gz | hango import - --atomic`,
    )
    .action(async (source: string, options: ImportCommandOptions) => {
      const { runImport } = await import("../transfer/run-import.ts");
      await runImport(source, options);
    });
}
