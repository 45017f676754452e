import { Command } from "commander";
import { interrupted } from "../interrupt.ts";
import { counted, print, printJson } from "../output.ts";
import { type StoreOptions, withNamespaceOptions, withStore } from "../store.ts";

interface EditCommandOptions extends StoreOptions {
  readonly all?: boolean;
  readonly ifVersion?: string;
  readonly json?: boolean;
}

/** `hango edit` */
export function editCommand(): Command {
  return withNamespaceOptions(
    new Command("edit")
      .description("Replace an exact text in a file; it must stand there exactly once, or --all.")
      .argument("<path>", "the file")
      .argument("<old>", "the text to replace, literally")
      .argument("<new>", "what takes its place, literally"),
  )
    .option("--all", "replace every one")
    .option("--if-version <version>", "only at this version, as “hango stat” shows it")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      "\nExamples:\n  hango edit /docs/plan.md 'draft' 'final'\n  hango edit /src/a.ts --all fooBar foo_bar\n  hango edit /list.md -- '- [ ] tests' '- [x] tests'      # after -- nothing is an option",
    )
    .action((path: string, oldText: string, newText: string, options: EditCommandOptions) =>
      withStore(
        options,
        async (store) => {
          const { inCommandWords, ownFiles, writable } = await import("../files.ts");
          const at = writable(path);
          const { all: replaceAll = false, ifVersion } = options;
          const result = await inCommandWords(() =>
            ownFiles(store).edit(at, oldText, newText, { replaceAll, signal: interrupted, ...(ifVersion === undefined ? {} : { ifVersion }) }),
          );
          if (options.json === true) await printJson(result);
          else await print(`${counted(result.replacements, "replacement")} in ${result.path}, now version ${result.version}\n${result.diff.trimEnd()}\n`);
        },
        { mustExist: true },
      ),
    );
}
