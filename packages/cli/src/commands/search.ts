import { Command } from "commander";
import { exitCodes } from "../exit-codes.ts";
import { interrupted } from "../interrupt.ts";
import { plain, print, printJson, say } from "../output.ts";
import { wholeNumber } from "../size.ts";
import { type StoreOptions, withStore, withStoreOptions } from "../store.ts";

interface SearchOptions extends StoreOptions {
  readonly maxCount: number;
  readonly json?: boolean;
}

/** `hango search` */
export function searchCommand(): Command {
  return withStoreOptions(
    new Command("search")
      .description("Find files by the storage's own search, where it has one (a Postgres database has none: use grep).")
      .argument("<query>", "what to look for"),
  )
    .option("--max-count <n>", "paths at most", wholeNumber(1, 100_000), 1_000)
    .option("--json", "print one JSON object: paths, truncated")
    .addHelpText("after", "\nExamples:\n  hango search 'refund policy'\n  hango grep -iF 'refund policy'      # finds the lines, on every storage")
    .action((query: string, options: SearchOptions) =>
      withStore(
        options,
        async (store) => {
          const { readSession } = await import("../files.ts");
          const { search } = readSession(store).storage;
          if (search === undefined) {
            const { HangoError } = await import("hango");
            throw new HangoError(
              "unsupported",
              `This database has no search of its own. To find lines that hold the text, run: hango grep -iF ${shellWord(query)}`,
            );
          }
          const found = await search.paths(query, { limit: options.maxCount + 1, signal: interrupted });
          const paths = found.slice(0, options.maxCount).map((path) => `/${path}`);
          const truncated = found.length > paths.length;
          if (paths.length === 0) process.exitCode = exitCodes.failed.code;
          if (options.json === true) return printJson({ paths, truncated });
          await print(paths.map((path) => `${plain(path)}\n`).join(""));
          if (truncated) say(`more than ${options.maxCount} files match; narrow the query or raise --max-count`);
        },
        { mustExist: true },
      ),
    );
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
