import { Command } from "commander";
import type { GrepMatch } from "hango";
import { exitCodes } from "../exit-codes.ts";
import { interrupted } from "../interrupt.ts";
import { counted, plain, print, printJson, say, styled } from "../output.ts";
import { wholeNumber } from "../size.ts";
import { type StoreOptions, withStore, withStoreOptions } from "../store.ts";

interface GrepOptions extends StoreOptions {
  readonly ignoreCase?: boolean;
  readonly fixedStrings?: boolean;
  readonly filesWithMatches?: boolean;
  readonly context: number;
  readonly include?: string;
  readonly maxCount: number;
  readonly json?: boolean;
}

/** `hango grep` */
export function grepCommand(): Command {
  return withStoreOptions(
    new Command("grep")
      .description("Find lines that match a regular expression. Ends with 1 when none does.")
      .argument("<pattern>", "a regular expression, in quotes")
      .argument("[path]", "the directory to look below, or a file", "/"),
  )
    .option("-i, --ignore-case", "upper and lower case alike")
    .option("-F, --fixed-strings", "the pattern is plain text")
    .option("-l, --files-with-matches", "only the paths")
    .option("-C, --context <n>", "lines before and after", wholeNumber(0, 20), 0)
    .option("--include <glob>", "only files that match, e.g. '*.ts'")
    .option("--max-count <n>", "lines at most", wholeNumber(1, 100_000), 1_000)
    .option("--json", "print one JSON object: matches, truncated, skipped")
    .addHelpText("after", "\nExamples:\n  hango grep 'TODO|FIXME'\n  hango grep -F 'a[0]' /src --include '*.ts' -C 2\n  hango grep -il invoice")
    .action((pattern: string, path: string, options: GrepOptions) =>
      withStore(
        options,
        async (store) => {
          const { absolute, inCommandWords, readSession } = await import("../files.ts");
          const { include } = options;
          const found = await inCommandWords(() =>
            readSession(store).fs.grep(pattern, {
              path: absolute(path),
              literal: options.fixedStrings === true,
              ignoreCase: options.ignoreCase === true,
              context: options.filesWithMatches === true ? 0 : options.context,
              maxCount: options.maxCount,
              signal: interrupted,
              ...(include === undefined ? {} : { include }),
            }),
          );
          if (found.matches.length === 0) process.exitCode = exitCodes.failed.code;
          if (options.json === true) return printJson(found);
          await print(options.filesWithMatches === true ? paths(found.matches) : lines(found.matches, options.context > 0));
          if (found.truncated) say(`more than ${counted(options.maxCount, "line")} match; narrow the search or raise --max-count`);
          if (found.skipped.length > 0)
            say(
              `${counted(found.skipped.length, "file")} could not be searched (binary, or too large): ${found.skipped.slice(0, 3).join(", ")}${found.skipped.length > 3 ? ", …" : ""}`,
            );
        },
        { mustExist: true },
      ),
    );
}

function paths(matches: readonly GrepMatch[]): string {
  return [...new Set(matches.map(({ path }) => path))].map((path) => `${plain(path)}\n`).join("");
}

/** As grep -n prints them: a colon after the number of a line that matches, a dash for context, and a line of dashes between blocks. */
function lines(matches: readonly GrepMatch[], blocks: boolean): string {
  const out: string[] = [];
  for (const [index, { path, line, text, before = [], after = [] }] of matches.entries()) {
    const row = (number: number, sign: ":" | "-", shown: string): string =>
      `${styled("magenta", plain(path))}${sign}${styled("green", String(number))}${sign}${plain(shown)}\n`;
    if (blocks && index > 0) out.push("--\n");
    out.push(...before.map((shown, at) => row(line - before.length + at, "-", shown)));
    out.push(row(line, ":", text));
    out.push(...after.map((shown, at) => row(line + 1 + at, "-", shown)));
  }
  return out.join("");
}
