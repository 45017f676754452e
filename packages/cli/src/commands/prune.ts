import { Command } from "commander";
import { interrupted } from "../interrupt.ts";
import { count, counted, printJson, printLine } from "../output.ts";
import { parseAge } from "../size.ts";
import { type StoreOptions, withNamespaceOptions, withStore } from "../store.ts";

interface PruneCommandOptions extends StoreOptions {
  readonly olderThan: number;
  readonly json?: boolean;
}

/** `hango prune` */
export function pruneCommand(): Command {
  return withNamespaceOptions(
    new Command("prune").description("Delete old machine files of every session: stored tool results and conversations. Other files stay."),
  )
    .requiredOption("--older-than <age>", "last written longer ago than this: 30d, 12h, 90m", parseAge)
    .option("--json", "print one JSON object: files, bytes")
    .addHelpText("after", "\nExamples:\n  hango prune --older-than 30d\n  hango prune --older-than 12h --tenant acme --agent support-bot")
    .action((options: PruneCommandOptions) =>
      withStore(
        options,
        async ({ files, namespace }) => {
          const gone = await files.prune(namespace, { olderThan: new Date(Date.now() - options.olderThan), signal: interrupted });
          await (options.json === true ? printJson(gone) : printLine(`deleted ${counted(gone.files, "machine file")} of ${count(gone.bytes)} bytes`));
        },
        { mustExist: true },
      ),
    );
}
