import { Command, Option } from "commander";
import { interrupted } from "../interrupt.ts";
import { count, printJson, printLine } from "../output.ts";
import { type StoreOptions, withNamespaceOptions, withStore } from "../store.ts";

interface WriteCommandOptions extends StoreOptions {
  readonly file?: string;
  readonly ifVersion?: string;
  readonly overwrite?: boolean;
  readonly contentType?: string;
  readonly json?: boolean;
}

/** `hango write` */
export function writeCommand(): Command {
  return withNamespaceOptions(
    new Command("write")
      .description("Write a file from stdin or from a file of this machine; over one that exists only when told so.")
      .argument("<path>", "the file to write"),
  )
    .option("-f, --file <file>", "where the content is (default: stdin)")
    .addOption(new Option("--if-version <version>", "write only over this version, as “hango stat” shows it").conflicts("overwrite"))
    .option("--overwrite", "write over whatever is there")
    .option("--content-type <type>", "default: that of the file written over, else by its name")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      "\nExamples:\n  echo 'Be brief.' | hango write /memories/style.md\n  hango write /docs/plan.md --file plan.md --overwrite\n  hango write /docs/plan.md --file plan.md --if-version VERSION",
    )
    .action(async (path: string, options: WriteCommandOptions) => {
      const { inCommandWords, writable } = await import("../files.ts");
      const { readInput } = await import("../read-input.ts");
      // Before anything is opened or waited for: a path that can't be is refused at once.
      const file = writable(path);
      const bytes = await readInput(options.file, file);
      await withStore(options, async ({ storage }) => {
        const ifVersion = options.ifVersion ?? (options.overwrite === true ? undefined : "absent");
        const info = await inCommandWords(() =>
          storage.write(file.slice(1), bytes, {
            signal: interrupted,
            ...(ifVersion === undefined ? {} : { ifVersion }),
            ...(options.contentType === undefined ? {} : { contentType: options.contentType }),
          }),
        );
        if (options.json === true) await printJson({ ...info, path: file });
        else await printLine(`wrote ${file} (${count(info.sizeBytes)} bytes, version ${info.version})`);
      });
    });
}
