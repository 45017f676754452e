import { Command } from "commander";
import { interrupted } from "../interrupt.ts";
import { printJson, printLine } from "../output.ts";
import { type StoreOptions, withNamespaceOptions, withStore } from "../store.ts";

interface RmOptions extends StoreOptions {
  readonly recursive?: boolean;
  readonly ifVersion?: string;
  readonly json?: boolean;
}

/** `hango rm` */
export function rmCommand(): Command {
  return withNamespaceOptions(
    new Command("rm").description("Delete a file, or with -r a directory with everything below it, as a whole.").argument("<path>", "what to delete"),
  )
    .option("-r, --recursive", "a directory with everything below it")
    .option("--if-version <version>", "a file only at this version, as “hango stat” shows it")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      "\nExamples:\n  hango rm /docs/old.md\n  hango rm -r /docs/archive\n  hango erase      # the whole namespace, its record and quota too",
    )
    .action((path: string, options: RmOptions) =>
      withStore(
        options,
        async (store) => {
          const { absolute, inCommandWords, ownFiles } = await import("../files.ts");
          const { HangoError, parseAgentPath } = await import("hango");
          const at = parseAgentPath(absolute(path));
          if (at === "/") throw new HangoError("invalid_argument", "/ is everything. Name what is to go; “hango erase” clears the whole namespace.");
          const { recursive = false, ifVersion } = options;
          await inCommandWords(() => ownFiles(store).delete(at, { recursive, signal: interrupted, ...(ifVersion === undefined ? {} : { ifVersion }) }));
          await (options.json === true ? printJson({ deleted: at }) : printLine(`deleted ${at}`));
        },
        { mustExist: true },
      ),
    );
}
