import { Command } from "commander";
import { count, counted, print, printJson, printLine } from "../output.ts";
import { type StoreOptions, withNamespaceOptions, withStore } from "../store.ts";

interface EraseOptions extends StoreOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `hango erase` */
export function eraseCommand(): Command {
  return withNamespaceOptions(new Command("erase").description("Erase everything an agent has: files, quota and the record of what was done; asks first."))
    .option("--yes", "do not ask")
    .option("--json", "print one JSON object: files, bytes")
    .addHelpText("after", "\nExamples:\n  hango erase --tenant acme --agent support-bot\n  hango erase --yes --agent test-run")
    .action((options: EraseOptions) =>
      withStore(
        options,
        async ({ files, namespace }) => {
          const { confirm } = await import("../confirm.ts");
          const { files: held, bytes } = await files.usage(namespace);
          const whose = `agent “${options.agent}” of tenant “${options.tenant}”`;
          const what = `This erases ${counted(held, "file")} of ${count(bytes)} bytes, the quota and the record of ${whose}, machine files of every session too.\nThis can't be taken back.`;
          if (!(await confirm(what, { yes: options.yes === true }))) return print("Nothing was erased.\n");
          const gone = await files.erase(namespace);
          await (options.json === true ? printJson(gone) : printLine(`erased ${counted(gone.files, "file")} of ${count(gone.bytes)} bytes`));
        },
        { mustExist: true },
      ),
    );
}
