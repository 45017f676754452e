import { Command } from "commander";

/** `hango embed` */
export function embedCommand(): Command {
  return new Command("embed")
    .description("Turn a directory into a TypeScript module of its files, for embeddedStorage. Prints the module.")
    .argument("<directory>", "what to embed; .git, node_modules, dist and .hango are left out")
    .addHelpText("after", '\nExamples:\n  hango embed docs > src/corpus.ts\n  import { files } from "./corpus.ts"; embeddedStorage(files)')
    .action(async (directory: string) => {
      const { embedDirectory } = await import("../embed-directory.ts");
      await embedDirectory(directory);
    });
}
