import { Command } from "commander";
import { interrupted } from "../interrupt.ts";
import { plain, print, printJson, say } from "../output.ts";
import { wholeNumber } from "../size.ts";
import { type StoreOptions, withStore, withStoreOptions } from "../store.ts";

interface GlobOptions extends StoreOptions {
  readonly maxCount: number;
  readonly json?: boolean;
}

/** `hango glob` */
export function globCommand(): Command {
  return withStoreOptions(
    new Command("glob")
      .description("Find files by their names: * ? ** and {a,b}; without a slash the pattern is looked for at any depth.")
      .argument("<pattern>", "in quotes, so that the shell leaves it alone")
      .argument("[root]", "the directory to look below", "/"),
  )
    .option("--max-count <n>", "paths at most", wholeNumber(1, 100_000), 1_000)
    .option("--json", "print one JSON object: paths, truncated, skipped")
    .addHelpText("after", "\nExamples:\n  hango glob '*.md'\n  hango glob 'src/**/*.{ts,tsx}'\n  hango glob '*.test.ts' /packages")
    .action((pattern: string, root: string, options: GlobOptions) =>
      withStore(
        options,
        async (store) => {
          const { absolute, readSession } = await import("../files.ts");
          const found = await readSession(store).fs.glob(pattern, { root: absolute(root), maxCount: options.maxCount, signal: interrupted });
          if (options.json === true) return printJson(found);
          await print(found.paths.map((path) => `${plain(path)}\n`).join(""));
          if (found.paths.length === 0 && /[[\]]/.test(pattern))
            say("no file matches; brackets in a pattern stand for themselves, and {a,b} for one or the other.");
          if (found.truncated) say(`more than ${options.maxCount} files match; narrow the pattern or raise --max-count`);
        },
        { mustExist: true },
      ),
    );
}
